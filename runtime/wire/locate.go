// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/skip"
)

// locate returns the path, such as .spec.ports[2].port, of the value in text that caused fault. It
// returns "" if the path is unknown or empty.
//
// Package decode stops at the value. If it stopped earlier, at unusual text that the reference decoder
// accepts, the result is the path in fault, which lacks indexes and map keys.
func (o *objectDecoder[T]) locate(text []byte, fault error) string {
	_, _ = o.fast.Decode(text, o.create())
	steps := o.fast.Path()
	path := strings.Join(steps, "")
	mismatch := (*json.UnmarshalTypeError)(nil)
	if errors.As(fault, &mismatch) && mismatch.Field != "" {
		last := mismatch.Field[strings.LastIndexByte(mismatch.Field, '.')+1:]
		if !slices.Contains(steps, skip.Step{Name: last}.String()) {
			path = "." + mismatch.Field
		}
	}
	return truncate.Text(path, maxPath)
}

// decodesItself reports whether t has an UnmarshalJSON or UnmarshalText method.
func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) ||
		p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}
