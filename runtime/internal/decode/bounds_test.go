// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type numbers struct {
	I   int64   `json:"i"`
	I32 int32   `json:"i32"`
	U   uint64  `json:"u"`
	U8  uint8   `json:"u8"`
	P   *int64  `json:"p"`
	S   []int64 `json:"s"`
}

// Integers of 64 bits are no reason to leave an object to the reference, and what
// is beyond them is.
func TestIntegersOf64Bits(t *testing.T) {
	d := New(Options{})
	for _, test := range []struct {
		text string
		want numbers
	}{
		{`{"i":1790000000000000000}`, numbers{I: 1790000000000000000}},
		{`{"i":9223372036854775807,"s":[-9223372036854775808,-9223372036854775807]}`, numbers{I: math.MaxInt64, S: []int64{math.MinInt64, -math.MaxInt64}}},
		{`{"u":18446744073709551615}`, numbers{U: math.MaxUint64}},
		{`{"u":9999999999999999999}`, numbers{U: 9999999999999999999}},
	} {
		got := new(numbers)
		if n, err := d.Decode([]byte(test.text), got); err != nil || n != len(test.text) ||
			fmt.Sprint(*got) != fmt.Sprint(test.want) {
			t.Errorf("%s: %+v, %v", test.text, *got, err)
		}
		if err := both[numbers](t, d, test.text); err != nil {
			t.Errorf("%s: %v", test.text, err)
		}
		if _, same := d.Match([]byte(test.text), &test.want, false); !same {
			t.Errorf("%s is not found to be what is held", test.text)
		}
	}
	for _, text := range []string{
		`{"i":9223372036854775808}`, `{"i":-9223372036854775809}`, `{"i":18446744073709551615}`, `{"i":99999999999999999999}`, `{"i32":9223372036854775807}`, `{"i32":-2147483649}`,
		`{"u":18446744073709551616}`, `{"u":99999999999999999999}`, `{"u":184467440737095516150}`, `{"u":-1}`, `{"u":-0}`, `{"u8":256}`, `{"u8":18446744073709551615}`,
	} {
		if _, err := d.Decode([]byte(text), new(numbers)); err != ErrOdd {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// broad has wide elements, so that what one object takes to decode would be much to
// keep for all that follow.
type broad struct {
	metav1.ObjectMeta `                 json:"metadata"`
	Children          []broad          `json:"c"`
	Named             map[string]*wide `json:"m"`
	Fill              [20]*string      `json:"-"`
}

type wide struct {
	Below map[string]wide `json:"b"`
	Fill  [100]*string    `json:"-"`
}

func TestWhatIsKeptToDecodeInIsBounded(t *testing.T) {
	d := New(Options{})
	before := heap()
	for range 2 {
		for _, text := range []string{
			strings.Repeat(`{"c":[`+strings.Repeat(`{},`, 100), 1000) + `{}` + strings.Repeat(`]}`, 1000),
			`{"m":{"x":` + strings.Repeat(`{"b":{"y":`, 4000) + `{}` + strings.Repeat(`}}`, 4000) + `}}`,
			`{"c":[{},{}]}`,
		} {
			if n, err := d.Decode([]byte(text), new(broad)); err != nil || n != len(text) {
				t.Fatal(n, err)
			}
		}
	}
	if kept := heap() - before; kept > 2<<20 {
		t.Errorf("the decoder keeps %d bytes", kept)
	}
	if d.scratch > scratchBytes || d.scratch <= 0 {
		t.Errorf("it counts %d", d.scratch)
	}
	runtime.KeepAlive(d)
}

func TestSharedMapsAreBounded(t *testing.T) {
	type labels struct {
		M map[string]string `json:"m"`
	}
	for size, maps := range map[int]int{900: 900, 450: 1800, 8: 40_000, 1: 60_000} { // 12 MiB or more
		d := New(Options{Share: true})
		before := heap()
		last := ""
		for i := range maps {
			if i%3 != 0 || last == "" { // some come again, or none would be remembered
				var b strings.Builder
				b.WriteString(`{"m":{`)
				for k := range size {
					if k > 0 {
						b.WriteByte(',')
					}
					fmt.Fprintf(&b, `"%x":""`, k+i*7)
				}
				b.WriteString(`}}`)
				last = b.String()
			}
			if _, err := d.Decode([]byte(last), new(labels)); err != nil {
				t.Fatal(err)
			}
		}
		kept := heap() - before
		if kept > 9<<20 { // 8 MiB of maps, and the strings of the table
			t.Errorf("of maps of %d strings %d bytes are kept", size, kept)
		}
		runtime.KeepAlive(d)
	}
}

func heap() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

type typedObject struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
}

// Invalid JSON does not match, even if a string that starts in it ends with a quote.
func TestMatchOfHalfAString(t *testing.T) {
	d := New(Options{})
	held := new(typedObject)
	if _, err := d.Decode([]byte(`{"metadata":{"name":"a"}}`), held); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`{"kind":x","metadata":{"name":"a"}}`, `{"kind":5" ,"metadata":{"name":"a"}}`, `{"apiVersion":[","metadata":{"name":"a"}}`} {
		if _, same := d.Match([]byte(text), held, true); same {
			t.Error(text)
		}
	}
	if id, ok := d.Identify([]byte(`{"metadata":{"name":xa"}}`)); ok {
		t.Errorf("%s", id.Name)
	}
}
