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
// The kind of an object, its name, namespace, UID and resourceVersion cannot be
// skipped. A path to what the Go type does not have skips it all the same, so that one
// Conn may serve many types; one that its Go type rules out is refused, by each List
// and Watch: one into a list without [*], or into text, which a path does that has a
// key with dots without [”], or one of which a name differs from a field's by its case
// alone.
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
