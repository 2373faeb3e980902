// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/indexer-gen/indexer-gen/runtime/internal/decode"
	"github.com/indexer-gen/indexer-gen/runtime/internal/skip"
)

// Option says how the objects of a source are decoded.
type Option struct{ apply func(*settings) error }

// settings is the result of options.
type settings struct {
	decode.Options
	skipped []skipPath
	whole   reflect.Type // of PartOf
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
// error for a path that the Go type makes impossible: into a list without [*], into a string (for
// example a key with dots outside brackets), or with a name that differs from a field's name only by
// case. A field that the type does not have is no error, because one Conn may serve many types. So a
// misspelled name skips nothing.
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
// A reflector without a transform has its source share parts anyway, since the objects of a cache must
// not be modified. So the option is for sources that are used alone, and for transforms that only
// replace.
func ShareParts() Option {
	return Option{func(o *settings) error {
		o.Share = true
		return nil
	}}
}

// PartOf says that the objects are parts of a Whole, such as [k8s.io/api/core/v1.Pod]: each field has a
// counterpart in Whole with the same JSON name and a type that has the same form in protobuf. The
// source then reads protobuf with the field numbers of Whole, at a fraction of the cost of JSON for
// the client and the API server. Without PartOf, objects of a type whose fields have no protobuf tags
// are read as JSON. Each List and Watch returns an error for a field without a counterpart.
func PartOf[Whole any]() Option {
	return Option{func(o *settings) error {
		o.whole = reflect.TypeFor[Whole]()
		return nil
	}}
}

// readOptions merges opts, and checks that their paths fit objects of type t.
func readOptions(opts []Option, t reflect.Type) (out settings, err error) {
	for _, o := range opts {
		if o.apply == nil {
			continue
		}
		if err := o.apply(&out); err != nil {
			return out, err
		}
	}
	for _, path := range out.skipped {
		if err := path.fits(t); err != nil {
			return out, err
		}
	}
	return out, nil
}
