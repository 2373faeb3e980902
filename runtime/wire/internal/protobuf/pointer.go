// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"bytes"
	"reflect"
	"unsafe"
)

// pointer points to a value whose type its user knows. Fields are reached by their offset, because
// reflection took most of the time of decoding; google.golang.org/protobuf does the same. This file has
// all uses of package unsafe. The zero pointer points to nothing.
type pointer struct{ p unsafe.Pointer }

// pointerTo returns the pointer that v is.
func pointerTo(v reflect.Value) pointer { return pointer{v.UnsafePointer()} }

// as returns p as a pointer to T, or to a type with the memory layout of T.
func as[T any](p pointer) *T { return (*T)(p.p) }

func (p pointer) isNil() bool { return p.p == nil }

// value returns the value of type t that p points to.
func (p pointer) value(t reflect.Type) reflect.Value { return reflect.NewAt(t, p.p).Elem() }

// field points to the field at an offset of the struct that p points to.
func (p pointer) field(offset uintptr) pointer {
	if p.p == nil {
		return p
	}
	return pointer{unsafe.Add(p.p, offset)}
}

// elem returns the pointer that p points to.
func (p pointer) elem() pointer { return *as[pointer](p) }

// setElem sets the pointer that p points to.
func (p pointer) setElem(to pointer) { *as[pointer](p) = to }

// len returns the length of the slice that p points to.
func (p pointer) len() int { return len(*as[[]struct{}](p)) }

// index points to element i of the slice that p points to, whose elements have a size.
func (p pointer) index(i int, size uintptr) pointer {
	return pointer{unsafe.Add(unsafe.Pointer(unsafe.SliceData(*as[[]byte](p))), uintptr(i)*size)}
}

// equal compares the memory of two values, of size bytes.
func (p pointer) equal(q pointer, size uintptr) bool {
	return bytes.Equal(unsafe.Slice(as[byte](p), size), unsafe.Slice(as[byte](q), size))
}
