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

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/skip"
)

// maxLocateBytes bounds the text that is searched for the path of one error. Each level of nesting
// counts again.
const maxLocateBytes = 4 << 20

// locate returns the path, such as .spec.ports[2].port, of the value in text that caused fault. It
// returns "" if the path is unknown or empty.
//
// Package decode stops at the value. If it stopped earlier, at unusual text that the reference decoder
// accepts, the result is the path in fault, which lacks indexes and map keys.
func (o *objectDecoder[T]) locate(text []byte, fault error) string {
	func() {
		defer func() { _ = recover() }() // the reference panicked too, and fault says so
		_, _ = o.fast.Decode(text, o.create())
	}()
	path, names := pathTo(text, o.fast.Offset())
	mismatch := (*json.UnmarshalTypeError)(nil)
	if errors.As(fault, &mismatch) && mismatch.Field != "" && !slices.Contains(names, lastOf(mismatch.Field)) {
		path = "." + mismatch.Field
	}
	return truncate.Text(path, maxPath)
}

// pathTo returns the path to the innermost value in raw that holds the byte at, and the names on the
// path.
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
				step = written(skip.Step{Name: truncate.Text(name, maxKey)})
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

// errFound ends a loop over elements.
var errFound = errors.New("found")

// lastOf returns the last name of a path from the reference decoder.
func lastOf(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// decodesItself reports whether t has an UnmarshalJSON or UnmarshalText method.
func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) ||
		p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}
