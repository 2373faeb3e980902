// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/internal/decode"
	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
)

// locate returns the path, such as .spec.ports[2].port, of the first innermost
// value that keeps raw from decoding into an E, and the error of that value; ""
// and fault if that is raw itself, or if to find it would take too long.
func locate[E any](raw []byte, fault error) (string, error) {
	s := search{decoder: decode.New(decode.Options{}), budget: maxLocateBytes}
	t := reflect.TypeFor[E]()
	odd, _ := s.sound(raw, t)
	path, found := s.below(raw, t, odd, maxPathLength)
	if found == nil || errors.Is(found, errNotFound) {
		return "", fault
	}
	return truncate.Text(path, maxPath), found
}

const (
	maxPathLength = 64
	// maxLocateBytes is how much text is gone through to locate what is wrong with one
	// object: what is on each level of the way down counts.
	maxLocateBytes = 4 << 20
)

var errNotFound = errors.New("too much to look through")

// search looks for what is wrong with an object. Each value on the way is decoded
// by package decode, and what that is not sure of by the reference, from within.
type search struct {
	decoder *decode.Decoder
	budget  int // bytes
}

// unknown is where a value is odd that was not looked at.
const unknown = -1

// in returns the path from raw to the first innermost value that keeps it from
// decoding into a t, and the error of that; nil if raw is sound. If it was found to be
// odd while something that it is in was decoded, odd is how far that got in raw: then
// it is not decoded once more, or what is nested would be on each level.
func (s *search) in(raw []byte, t reflect.Type, odd, depth int) (path string, fault error) {
	if s.budget -= len(raw); s.budget < 0 {
		return "", errNotFound
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if odd == unknown {
		sound := false
		if odd, sound = s.sound(raw, t); sound {
			return "", nil
		}
	}
	if path, fault = s.below(raw, t, odd, depth); fault != nil {
		return path, fault
	}
	return "", tryDecode(raw, t)
}

// below is in for what is inside of raw, which was decoded as far as odd.
func (s *search) below(raw []byte, t reflect.Type, odd, depth int) (path string, fault error) {
	if depth == 0 || len(raw) == 0 || decodesItself(t) {
		return "", nil
	}
	// descend tells whether to go on behind value, which is at step.
	descend := func(step string, value []byte, t reflect.Type) bool {
		start := cap(raw) - cap(value) // value is cut from raw as it is
		within := unknown
		switch {
		case start+len(value) < odd:
			return true
		case start <= odd:
			within = odd - start
		}
		if path, fault = s.in(value, t, within, depth-1); fault != nil {
			path = step + path
		}
		return fault == nil
	}
	switch {
	case raw[0] == '{' && t.Kind() == reflect.Struct:
		known := decode.Members(t)
		members(raw, func(name string, value []byte) bool {
			member, ok := known[name]
			if ok && member.Quoted {
				path, fault = "."+name, tryDecode(fmt.Appendf(nil, "{%q:%s}", name, value), t)
				return fault == nil
			}
			return !ok || descend("."+name, value, member.Type)
		})
	case raw[0] == '{' && t.Kind() == reflect.Map:
		members(raw, func(name string, value []byte) bool {
			return descend(fmt.Sprintf("[%q]", truncate.Text(name, maxKey)), value, t.Elem())
		})
	case raw[0] == '[' && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array):
		f := framerOver(raw)
		_ = f.elements(func(i int) error {
			value, err := f.value()
			if err == nil && !descend(fmt.Sprintf("[%d]", i), value, t.Elem()) {
				err = fault
			}
			return err
		})
	}
	return path, fault
}

// sound tells whether raw decodes into a t, or else how far.
func (s *search) sound(raw []byte, t reflect.Type) (n int, sound bool) {
	defer func() {
		if recover() != nil { // the reference will panic too, and its error say so
			n, sound = unknown, false
		}
	}()
	return s.decoder.Sound(raw, t)
}

func tryDecode(raw []byte, t reflect.Type) (err error) {
	defer func() { err = truncateFault(err) }()
	defer recoverInto(&err)
	return decodeValue(raw, reflect.New(t).Interface())
}

// decodesItself tells whether what is inside a t is for its own method to say.
func decodesItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(reflect.TypeFor[json.Unmarshaler]()) || p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}
