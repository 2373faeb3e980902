// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/decode"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/skip"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Option says which objects a source has, or how they are decoded. A later option replaces an earlier
// one of the same kind; paths of Skip add up.
type Option struct{ apply func(*settings) error }

// settings is the result of options.
type settings struct {
	decode.Options
	skipped    []skipPath
	whole      reflect.Type  // of ProtobufOf
	example    metav1.Object // of TypeOf
	namespace  string
	namespaces *source.Namespaces // in place of namespace, unless nil
	prober     Prober             // of MayBeAbsent
}

// InNamespace selects the objects in one namespace. With "", the source has the objects in all
// namespaces, or those of a cluster-scoped resource, as without this option.
func InNamespace(namespace string) Option {
	return option(func(o *settings) { o.namespace, o.namespaces = namespace, nil })
}

// InNamespaces selects the objects in a set of namespaces, which may change while informers read from
// the source. Each namespace has a list and a watch of its own.
func InNamespaces(namespaces *source.Namespaces) Option {
	return option(func(o *settings) { o.namespaces = namespaces })
}

// TypeOf sets the Go type of the objects if it is known only at run time. The objects have the type of
// example, which must be a pointer to a struct and may be nil. The T of [Source] is an interface that
// the type implements, such as metav1.Object.
func TypeOf(example metav1.Object) Option {
	return option(func(o *settings) { o.example = example })
}

// Prober tells whether the server has a resource. A *discovery.Prober is one.
type Prober interface {
	Served(r schema.GroupVersionResource, scope meta.RESTScope) func(context.Context) (bool, error)
}

// MayBeAbsent is for types that the server may not serve, such as those of a CustomResourceDefinition that is not
// installed. Informers of the sources ask p whether their type is served; see package informer. Use one Prober for
// all sources of a server:
//
//	conn = conn.With(wire.MayBeAbsent(discovery.New(conn.Client, conn.BaseURL, conn.UserAgent)))
func MayBeAbsent(p Prober) Option { return option(func(o *settings) { o.prober = p }) }

func option(apply func(*settings)) Option {
	return Option{func(o *settings) error { apply(o); return nil }}
}

// WithoutManagedFields skips metadata.managedFields, often half of an object's JSON and rarely read.
func WithoutManagedFields() Option { return Skip(".metadata.managedFields") }

// Skip omits the fields at paths, with their content. Their text is skipped, not decoded. Paths are
// written as in index markers: .spec.template, .spec.containers[*].env, and
// .metadata.annotations['kubectl.kubernetes.io/last-applied-configuration']. [*] stands for every
// element of a list or map.
//
// Skipped fields are zero, so an index over them is empty. An update that writes such an object back
// deletes the fields on the server. Use a patch, or update an object read from the server. Only
// managedFields may be missing from an update.
//
// Kind, name, namespace, UID and resourceVersion cannot be skipped. Each List and Watch returns an
// error for a path that the Go type makes impossible: into a list without [*], or into a string, for
// example a key with dots outside brackets. A field that the type does not have is no error, because one
// Conn may serve many types. So a misspelled name skips nothing, also in another case.
func Skip(paths ...string) Option {
	return Option{func(o *settings) error {
		for _, path := range paths {
			steps, err := parsePath(path)
			if err != nil {
				return err
			}
			if o.Skip == nil {
				o.Skip = &skip.Paths{}
			}
			o.Skip.Add(steps)
			o.skipped = append(o.skipped, skipPath{path, steps})
		}
		for _, steps := range needed {
			if o.Skip.Has(steps...) {
				return fmt.Errorf("Skip(%q): .%s cannot be skipped", paths, strings.Join(steps, "."))
			}
		}
		return nil
	}}
}

var needed = [][]string{
	{"kind"}, {"apiVersion"},
	{"metadata", "name"}, {"metadata", "namespace"}, {"metadata", "uid"}, {"metadata", "resourceVersion"},
}

// ShareParts makes objects share parts that are equal on the wire: maps, lists and what pointers point
// to, in texts of 8 bytes to 8 KiB. A map of two labels takes 340 bytes, one of two quantities 690, and
// the objects of one owner have most parts in common. Whoever receives the objects must not modify these
// parts in place; they may be replaced.
//
// An informer without a transform has its source share parts anyway, since the objects of a cache must
// not be modified. So the option is for sources that are used alone, and for transforms that only
// replace.
func ShareParts() Option {
	return option(func(o *settings) { o.Share = true })
}

// ProtobufOf says that the objects are parts of a Whole, such as [k8s.io/api/core/v1.Pod]: each field
// has a counterpart in Whole with the same JSON name and a type that has the same form in protobuf. The
// source then reads protobuf with the field numbers of Whole, at a fraction of the cost of JSON for the
// client and the API server. Without ProtobufOf, objects of a type whose fields have no protobuf tags
// are read as JSON. Each List and Watch returns an error for a field without a counterpart.
func ProtobufOf[Whole any]() Option {
	return option(func(o *settings) { o.whole = reflect.TypeFor[Whole]() })
}

// readOptions merges opts.
func readOptions(opts []Option) (out settings, err error) {
	for _, o := range opts {
		if err := o.apply(&out); err != nil {
			return out, err
		}
	}
	return out, nil
}

// fit returns an error if a path to skip is impossible in objects of type t.
func (s settings) fit(t reflect.Type) error {
	for _, path := range s.skipped {
		if err := path.fits(t); err != nil {
			return err
		}
	}
	return nil
}
