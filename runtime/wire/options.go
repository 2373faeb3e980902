// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/indexer-gen/indexer-gen/runtime/internal/decode"
)

// Option says how the objects of a source are decoded.
type Option struct{ apply func(*settings) error }

// settings are what options say.
type settings struct {
	decode.Options
	skipped []skipPath
}

// WithoutManagedFields leaves metadata.managedFields out, which is often half of
// an object's JSON and seldom read by anybody.
func WithoutManagedFields() Option { return Skip(".metadata.managedFields") }

// Skip leaves the fields at paths out, with all that is in them: they are
// skipped in the text, not decoded and dropped. A path is written as for an
// index: .spec.template, .spec.containers[*].env, and
// .metadata.annotations['kubectl.kubernetes.io/last-applied-configuration'],
// where [*] stands for every element of a list or member of a map.
//
// What is left out is zero in the objects: an index over it holds nothing, and a program
// that writes such an object back, by an update of a GetCopy say, deletes the fields on
// the server. Write by a patch, or update the object as the server has it. Only
// managedFields may be missing from an update: that leaves them as they are.
//
// The kind of an object, its name, namespace, UID and resourceVersion cannot be
// skipped. A path that the Go type rules out is refused, by each List and Watch: one into
// a list without [*]; one into text, as a key with dots that is not in brackets is; and
// one with a name that differs from a field's by its case alone. A path to what the type
// does not have is not: so one Conn may serve many types, and a name that is misspelled
// skips nothing.
func Skip(paths ...string) Option {
	return Option{func(o *settings) error {
		for _, path := range paths {
			steps, err := parsePath(path)
			if err != nil {
				return err
			}
			if o.Skip == nil {
				o.Skip = &decode.Paths{}
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
	{"kind"}, {"apiVersion"}, {"metadata", "name"}, {"metadata", "namespace"}, {"metadata", "uid"}, {"metadata", "resourceVersion"},
}

// ShareMaps has objects whose labels, annotations or other maps from string to
// string are written alike share one map: a map of two labels takes 340 bytes,
// and whoever owns a hundred objects gives them all the same. Objects in a
// cache are not to be changed anyway; with this option neither are those maps in
// a transform, which gets an object before it is in the cache: it may replace a
// map, not edit it.
func ShareMaps() Option {
	return Option{func(o *settings) error {
		o.ShareMaps = true
		return nil
	}}
}

// readOptions returns what opts say of the decoding of values of type t.
func readOptions(opts []Option, t reflect.Type) (decode.Options, error) {
	var out settings
	for _, o := range opts {
		if o.apply == nil {
			continue
		}
		if err := o.apply(&out); err != nil {
			return out.Options, err
		}
	}
	for _, path := range out.skipped {
		if err := path.fits(t); err != nil {
			return out.Options, err
		}
	}
	return out.Options, nil
}
