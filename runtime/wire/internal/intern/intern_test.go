// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package intern

import (
	"fmt"
	"reflect"
	"testing"
)

func TestStringsAreBounded(t *testing.T) {
	c, place := New(), Places.Next()
	c.Limit(1 << 30)
	for i := range 30_000 {
		c.String(place, fmt.Appendf(nil, "%0100d", i))
		c.String(place, []byte("frequent")) // or the place would be given up
	}
	strings, bytes := 0, 0
	for _, set := range c.strings.sets {
		for _, s := range set {
			if s != "" {
				strings++
				bytes += len(s)
			}
		}
	}
	if strings == 0 || strings > mostSets*ways || bytes > 1<<20 {
		t.Errorf("%d strings of %d bytes are kept", strings, bytes)
	}
}

func TestValuesAreBounded(t *testing.T) {
	c, place := New(), Places.Next()
	c.Limit(1 << 30)
	made := 0
	share := func(text string) {
		found, size, keep := c.Value(place, []byte(text))
		if found.IsValid() {
			if found.Len() != 100 || size != 800 {
				t.Fatalf("%q has %d elements of %d bytes", text, found.Len(), size)
			}
			return
		}
		made++
		if keep {
			v := make([]int, 100)
			c.Keep(place, []byte(text), reflect.ValueOf(&v).Elem(), 800)
		}
	}
	for i := range 30_000 {
		share(fmt.Sprintf("%0100d", i))
		share("frequent")
	}
	c.Keep(place, []byte("larger than all"), reflect.ValueOf([]int{}), 8<<20)
	kept := 0
	for _, generation := range []map[origin]memoized{c.values.young, c.values.old} {
		for origin, value := range generation {
			kept += len(origin.text) + value.bytes + entryBytes
		}
	}
	if kept == 0 || kept > 8<<20 {
		t.Errorf("%d bytes are kept", kept)
	}
	if made > 30_001 {
		t.Errorf("a frequent value was made %d times", made-30_000)
	}
}

func TestSamplerPausesLookupsThatMiss(t *testing.T) {
	s := Sampler{}
	looks := 0
	for range 10 * (sampleSize + mostRest) {
		if s.Worth() {
			looks++
			s.Note(false)
		}
	}
	if looks == 0 || looks > 13*sampleSize {
		t.Errorf("%d lookups without a hit", looks)
	}
}
