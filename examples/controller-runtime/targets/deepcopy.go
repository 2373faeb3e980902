// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package targets

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the API group version of the package.
var GroupVersion = schema.GroupVersion{Group: "targets.example.com", Version: "v1"}

// AddToScheme adds the types of the package to a scheme.
func AddToScheme(s *runtime.Scheme) error {
	s.AddKnownTypes(GroupVersion, &Gadget{}, &GadgetList{})
	return nil
}

// DeepCopy returns a copy of g.
func (g *Gadget) DeepCopy() *Gadget {
	out := *g
	out.ObjectMeta = *g.ObjectMeta.DeepCopy()
	out.Spec.Size = g.Spec.Size.DeepCopy()
	out.Spec.Since = g.Spec.Since.DeepCopy()
	if g.Spec.Spare != nil {
		spare := *g.Spec.Spare
		out.Spec.Spare = &spare
	}
	out.Spec.Tags, out.Spec.Secrets = slices.Clone(g.Spec.Tags), slices.Clone(g.Spec.Secrets)
	out.Status.Conditions = slices.Clone(g.Status.Conditions)
	return &out
}

// DeepCopyObject returns a copy of g.
func (g *Gadget) DeepCopyObject() runtime.Object { return g.DeepCopy() }

// DeepCopyObject returns a copy of l.
func (l *GadgetList) DeepCopyObject() runtime.Object {
	out := *l
	out.ListMeta = *l.ListMeta.DeepCopy()
	out.Items = nil
	for i := range l.Items {
		out.Items = append(out.Items, *l.Items[i].DeepCopy())
	}
	return &out
}
