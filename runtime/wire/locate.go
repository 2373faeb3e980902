// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/runtime/internal/decode"
	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
)

// maxLocateBytes bounds how much text is searched for the path of one mistake. Each level of
// nesting counts again.
const maxLocateBytes = 4 << 20

// locate returns the path, such as .spec.ports[2].port, of the value that keeps text from
// decoding with the error fault. It returns "" if that is text itself or is not found.
//
// Package decode stops at the value. If it stopped earlier, at something unusual that the
// reference accepts, the path that fault has counts, which lacks indexes and keys.
func (o *objectDecoder[E, T]) locate(text []byte, fault error) string {
	func() {
		defer func() { _ = recover() }() // the reference panicked too, and fault says so
		_, _ = o.fast.Decode(text, new(E))
	}()
	path, names := pathTo(text, o.fast.Offset())
	mismatch := (*json.UnmarshalTypeError)(nil)
	if errors.As(fault, &mismatch) && mismatch.Field != "" && !slices.Contains(names, lastOf(mismatch.Field)) {
		path = "." + mismatch.Field
	}
	return truncate.Text(path, maxPath)
}

// pathTo returns the path to the innermost value in raw that reaches from at most the byte at
// to at least there, and the names on it.
func pathTo(raw []byte, at int) (path string, names []string) {
	for budget := maxLocateBytes - len(raw); len(raw) > 0 && budget >= 0; budget -= len(raw) {
		var inner []byte
		step := ""
		passes := func(value []byte) bool {
			start := cap(raw) - cap(value) // value is a part of raw
			if start+len(value) < at {
				return true
			}
			if start <= at {
				inner = value
				at -= start
			}
			return false
		}
		switch raw[0] {
		case '{':
			members(raw, func(name string, value []byte) bool {
				if passes(value) {
					return true
				}
				step = written(decode.Step{Name: truncate.Text(name, maxKey)})
				names = append(names, name)
				return false
			})
		case '[':
			f := framerOver(raw)
			_ = f.elements(func(i int) error {
				value, err := f.value()
				if err == nil && !passes(value) {
					step, err = fmt.Sprintf("[%d]", i), errFound
				}
				return err
			})
		}
		if inner == nil {
			break
		}
		path += step
		raw = inner
	}
	return path, names
}

// errFound ends a walk over elements.
var errFound = errors.New("found")

// lastOf returns the last name on a path of the reference.
func lastOf(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// decodesItself reports whether a t has a method that decodes it.
func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) ||
		p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}
