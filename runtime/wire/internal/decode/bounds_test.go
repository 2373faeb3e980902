// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/intern"
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
	runtime.KeepAlive(d)
}

func TestSharedPartsAreBounded(t *testing.T) {
	type object struct {
		Map      map[string]string `json:"map"`
		List     []wide            `json:"list"`
		Pointer  *wide             `json:"pointer"`
		Pointers []*wide           `json:"pointers"`
		Any      map[string]any    `json:"any"`
	}
	for _, test := range []struct {
		member string // %[1]d is the number of the object
		repeat string
		times  []int
	}{
		{`"map":{"n":"%d"%s}`, `,"%d":""`, []int{900, 450, 8, 1}},
		{`"list":[{"n":%d}%s]`, `,{}`, []int{100, 10, 1}},
		{`"pointers":[{"n":%d}%s]`, `,{}`, []int{100, 10, 1}},
		{`"pointer":{"n":%d%s}`, ``, []int{1}},
		{`"any":{"a":[%d%s]}`, `,[]`, []int{1000, 100}},
	} {
		for _, n := range test.times {
			d := New(Options{Share: true})
			before := heap()
			last := ""
			for i := range 100_000/n + 4000 {
				if i%3 != 0 || last == "" { // some come again, or none would be remembered
					var b strings.Builder
					for k := range n {
						fmt.Fprint(&b, strings.ReplaceAll(test.repeat, "%d", strconv.Itoa(k+i)))
					}
					last = fmt.Sprintf("{"+test.member+"}", i, b.String())
				}
				if _, err := d.Decode([]byte(last), new(object)); err != nil {
					t.Fatal(err)
				}
			}
			if kept := heap() - before; kept > 11<<20 { // 8 MiB of parts, the strings of the table, scratch memory
				t.Errorf("of %s with %d elements %d bytes are kept", test.member, n, kept)
			}
			runtime.KeepAlive(d)
		}
	}
}

// The text of a long value is not read twice for each value around it.
func TestLongValuesAreNotLookedUp(t *testing.T) {
	d := New(Options{Share: true})
	text := `{"strings":["` + strings.Repeat("a", intern.MaxValue) + `"]}`
	for _, test := range []struct {
		pos, length int
	}{
		{0, intern.MaxValue + 1}, {len(`{"strings":`), intern.MaxValue + 1}, {len(text) - 2, 2},
	} {
		d.begin([]byte(text))
		d.pos = test.pos
		if got := d.peek(intern.MaxValue + 1); len(got) != test.length || d.pos != test.pos || d.depth != 0 {
			t.Errorf("at %d the text has %d bytes, want %d; now at %d in depth %d",
				test.pos, len(got), test.length, d.pos, d.depth)
		}
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
