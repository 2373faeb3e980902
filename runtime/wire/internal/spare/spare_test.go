// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package spare

import (
	"reflect"
	"testing"
)

func TestPoolIsBounded(t *testing.T) {
	var p Pool
	kind := reflect.TypeFor[[][1 << 10]byte]()
	put := func(at Place, n int) {
		value := reflect.New(kind)
		value.Elem().Grow(n)
		p.Put(at, value)
	}
	at := At(kind)
	put(at, 65)
	if p.bytes != 0 {
		t.Errorf("a value of 65 KB is kept: %d bytes", p.bytes)
	}
	for range 1000 {
		put(At(kind), 10)
		if p.bytes <= 0 || p.bytes > maxPool {
			t.Fatalf("%d bytes are kept", p.bytes)
		}
	}
}

func TestValuesAreCleared(t *testing.T) {
	var p Pool
	at := At(reflect.TypeFor[[]string]())
	value := p.Take(at)
	value.Elem().Set(reflect.ValueOf([]string{"a", "b"}))
	p.Put(at, value)
	again := p.Take(at)
	if got := again.Interface().(*[]string); again != value || len(*got) != 0 || (*got)[:2][1] != "" {
		t.Errorf("%q", (*got)[:2])
	}
	if p.bytes != 0 {
		t.Errorf("%d bytes are counted in an empty pool", p.bytes)
	}
	if other := p.Take(at); other == value {
		t.Error("one value was taken twice")
	}
}
