// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/selection"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

// IndexField of the embedded cache names indexes so, and puts the namespace of an object before each value, or
// anyNamespace.
const (
	fieldIndex   = "field:"
	anyNamespace = "__all_namespaces"
)

// Get implements client.Reader. In one of several namespaces, it waits for that one alone.
func (c *managedCache) Get(ctx context.Context, key client.ObjectKey, out client.Object, opts ...client.GetOption) error {
	i, err := c.SyncedIn(ctx, &key.Namespace, out)
	if err != nil {
		return err
	}
	if i.ClusterScoped {
		key.Namespace = ""
	}
	obj, ok, err := i.GetIndexer().GetByKey(toolscache.ObjectName(key).String())
	if err != nil {
		return err
	}
	if !ok {
		return apierrors.NewNotFound(schema.GroupResource{Group: i.Kind.Group, Resource: i.Kind.Kind}, key.Name)
	}
	var options client.GetOptions
	options.ApplyOptions(opts)
	return i.Copies.Get(i.Object(obj.(metav1.Object)), out, options.UnsafeDisableDeepCopy)
}

// List implements client.Reader. Several fields are an intersection of indexes.
func (c *managedCache) List(ctx context.Context, out client.ObjectList, opts ...client.ListOption) error {
	var options client.ListOptions
	options.ApplyOptions(opts)
	var namespace *string
	if options.Namespace != "" {
		namespace = &options.Namespace
	}
	i, err := c.SyncedIn(ctx, namespace, out)
	if err != nil {
		return err
	}
	terms, ok := termsOf(&options)
	if !ok {
		return c.Cache.List(ctx, out, opts...)
	}
	found, err := clientgo.Find(i.GetIndexer(), options.LabelSelector, terms...)
	if err != nil {
		return fmt.Errorf("a field of %q of %s has no index: add it with IndexField of mgr.GetFieldIndexer(), or "+
			"with Add%sIndexes if that is emitted", options.FieldSelector, i.Kind.Kind, i.Kind.Kind)
	}
	var few [64]metav1.Object
	objs := few[:0]
	for obj := range found {
		if options.Limit > 0 && int64(len(objs)) == options.Limit {
			break
		}
		objs = append(objs, i.Object(obj))
	}
	return i.Copies.List(objs, out, options.UnsafeDisableDeepCopy)
}

// termsOf returns the conditions of options on indexes. It returns false for options that do not work; the embedded
// cache returns the error.
func termsOf(options *client.ListOptions) (terms []clientgo.Term, ok bool) {
	if options.Continue != "" {
		return nil, false
	}
	if options.FieldSelector == nil {
		if options.Namespace != "" {
			terms = append(terms, clientgo.Term{Name: toolscache.NamespaceIndex, Value: options.Namespace})
		}
		return terms, true
	}
	namespace := anyNamespace
	if options.Namespace != "" {
		namespace = options.Namespace
	}
	for _, r := range options.FieldSelector.Requirements() {
		if r.Operator != selection.Equals && r.Operator != selection.DoubleEquals {
			return nil, false
		}
		terms = append(terms, clientgo.Term{Name: fieldIndex + r.Field, Value: namespace + "/" + r.Value})
	}
	return terms, len(terms) > 0
}
