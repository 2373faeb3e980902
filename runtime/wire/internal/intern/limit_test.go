// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package intern

import (
	"fmt"
	"reflect"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// remembered returns the memory of what c holds.
func remembered(c *Cache) (bytes int) {
	for _, set := range c.strings.sets {
		for _, s := range set {
			bytes += len(s) + 16
		}
	}
	for _, generation := range []map[origin]memoized{c.values.young, c.values.old} {
		for origin, value := range generation {
			bytes += len(origin.text) + value.bytes + entryBytes
		}
	}
	return bytes
}

func TestMemoryIsATenthOfWhatIsHeld(t *testing.T) {
	c, texts, values := New(), Places.Next(), Places.Next()
	fill := func() {
		for i := range 20_000 {
			c.String(texts, fmt.Appendf(nil, "%0100d", i))
			c.String(texts, []byte("frequent")) // or the place would be given up
			text := fmt.Appendf(nil, "%0200d", i)
			v := make([]int, 100)
			c.Keep(values, text, reflect.ValueOf(&v).Elem(), 800)
			var f metav1.FieldsV1
			_ = c.FieldsV1(&f, text, func() error { return f.UnmarshalJSON([]byte("{}")) })
			_ = c.FieldsV1(&f, []byte("frequent"), func() error { return f.UnmarshalJSON([]byte("{}")) })
		}
	}
	for _, held := range []int64{0, 100 << 10, 2 << 20, 40 << 20, 1 << 40, 1 << 20, 0} {
		c.Limit(held)
		fill()
		most := max(int(min(held/10, 11<<20)), 64<<10)
		if got := remembered(c); got > most || got < most/3 {
			t.Errorf("%d bytes are remembered beside %d held", got, held)
		}
	}
}
