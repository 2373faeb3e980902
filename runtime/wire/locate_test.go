// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"reflect"
	"runtime"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type (
	quotedFields struct {
		metav1.ObjectMeta `json:"metadata"`

		A int           `json:"a,string"`
		B int           `json:"b"`
		C map[string]*D `json:"c"`
	}
	D struct {
		N []int8 `json:"n"`
	}

	deepX   struct{ middleX }
	middleX struct {
		X string `json:"x"`
	}
	nearX struct {
		X int `json:"x"`
	}
	shadowing struct {
		metav1.ObjectMeta `json:"metadata"`
		deepX
		nearX
	}

	// Three types that embed each other have as many ways as one likes to go.
	OneOfThree struct {
		*TwoOfThree
		*ThreeOfThree
		One int `json:"one"`
	}
	TwoOfThree struct {
		*OneOfThree
		*ThreeOfThree
		Two int `json:"two"`
	}
	ThreeOfThree struct {
		*OneOfThree
		*TwoOfThree
		Three int `json:"three"`
	}
	embracing struct {
		metav1.ObjectMeta `json:"metadata"`
		*OneOfThree
	}
)

func locatedIn[E any](text string) string {
	fault := decodeInto([]byte(text), new(E))
	if fault == nil {
		return "sound"
	}
	path, _ := locate[E]([]byte(text), fault)
	return path
}

func TestLocate(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{locatedIn[quotedFields](`{"a":"5","b":"x"}`), ".b"},
		{locatedIn[quotedFields](`{"a":5,"b":1}`), ".a"},
		{locatedIn[quotedFields](`{"a":"x","b":1}`), ".a"},
		{locatedIn[quotedFields](`{"b":1,"c":{"d":{"n":[1,2]},"e":null,"f":{"n":[3,-129]}}}`), `.c["f"].n[1]`},
		{locatedIn[quotedFields](`{"b":1,"b":2,"c":{"d":{"n":[1],"n":[2]},"e":{"n":{}}}}`), `.c["e"].n`}, // what is odd is not wrong
		{locatedIn[shadowing](`{"x":"s"}`), ".x"},
		{locatedIn[shadowing](`{"x":1}`), "sound"},
		{locatedIn[shadowing](`{"metadata":{},"x":1,"metadata":{"name":5}}`), ".metadata.name"},
		{locatedIn[embracing](`{"unknown":1,"two":2,"three":"x"}`), ".three"},
	} {
		if test.got != test.want {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

// What is wrong with an object is looked for in so much text at most, and said in
// the words of the reference if it is not found.
func TestLocateGivesUp(t *testing.T) {
	ports := strings.Repeat(`{"number":1},`, maxLocateBytes/len(`{"number":1},`))
	text := `{"metadata":{"name":"a"},"spec":{"ports":[` + ports + `{"number":"x"}]}}`
	item, err := widgetDecoder().careful([]byte(text))
	if err != nil || item.Key == nil || item.Key.Name != "a" {
		t.Fatalf("%+v, %v", item, err)
	}
	wantError(t, item.Err, "widgets.example.com a cannot be decoded: ", "spec.ports.number")
	s := search{decoder: widgetDecoder().fast, budget: 100}
	if _, fault := s.below([]byte(`{"spec":{"ports":[`+strings.Repeat(`{"number":1},`, 10)+`{"number":"x"}]}}`), reflect.TypeFor[Widget](), 0, maxPathLength); fault != errNotFound {
		t.Errorf("%v", fault)
	}
}

// nestedType nests in all ways.
type (
	nestedType struct {
		metav1.ObjectMeta `json:"metadata"`

		Lists lists                  `json:"lists"`
		Self  *nestedType            `json:"self"`
		Maps  mapped                 `json:"maps"`
		Keyed map[int]*nestedType    `json:"keyed"`
		Named map[string]*nestedType `json:"named"`
		Two   [2]*nestedType         `json:"two"`
		Typed *typedNest             `json:"typed"`
		N     int8                   `json:"n"`
	}
	lists     []lists
	mapped    map[string]mapped
	typedNest struct {
		Q int         `json:"q,string"`
		N int8        `json:"n"`
		T *nestedType `json:"t"`
	}
)

// What is odd and not wrong, as all in keyed, two and typed and a member that is there
// twice, is gone by on the way to what is wrong, wherever that stands.
func TestLocatePastWhatIsOdd(t *testing.T) {
	odd := []string{
		``, `"n":1,"n":2,`, `"self":{"n":1,"n":2},`, `"keyed":{"1":{"n":1},"2":null},`, `"two":[{"n":1},{}],`, `"typed":{"q":"1","n":1,"t":{"n":3,"n":4}},`,
		`"named":{"a":{"n":1,"n":2},"b":{"n":1},"a":{"n":3}},`, `"lists":[[],[[]]],`, `"metadata":{"name":"a","name":"b"},`,
	}
	for _, wrong := range []struct{ text, path string }{
		{`"n":"x"`, ".n"}, {`"n":128`, ".n"}, {`"lists":[[],[[],[5]],[]]`, ".lists[1][1][0]"}, {`"maps":{"a":{},"b":{"c":{"d":5}}}`, `.maps["b"]["c"]["d"]`},
		{`"self":{"n":1,"self":{"n":"x"},"lists":5}`, ".self.self.n"}, {`"keyed":{"1":{"n":1},"2":{"n":"x"}}`, `.keyed["2"].n`}, {`"keyed":{"a":{}}`, ".keyed"},
		{`"two":[{},{"n":1,"self":{"n":"x"}}]`, ".two[1].self.n"}, {`"typed":{"q":1,"n":1}`, ".typed.q"}, {`"typed":{"q":"1","n":"x"}`, ".typed.n"},
		{`"typed":{"q":"1","t":{"n":1,"self":{"n":"x"}}}`, ".typed.t.self.n"}, {`"named":{"a":{"n":1,"n":2},"b":{"n":300}}`, `.named["b"].n`}, {`"metadata":{"labels":{"a":"b","c":5}}`, `.metadata.labels["c"]`},
	} {
		for _, before := range odd {
			for _, after := range odd {
				inner := "{" + before + wrong.text + strings.TrimSuffix(","+after, ",") + "}"
				for _, way := range []struct{ text, path string }{
					{inner, ""}, {`{"self":` + inner + `}`, ".self"}, {`{"named":{"k":{"n":1,"n":2},"l":` + inner + `}}`, `.named["l"]`}, {`{"keyed":{"7":` + inner + `}}`, `.keyed["7"]`},
				} {
					if got := locatedIn[nestedType](way.text); got != way.path+wrong.path {
						t.Errorf("%q, want %q: %s", got, way.path+wrong.path, way.text)
					}
				}
			}
		}
	}
}

// An object is decoded about once to find what is wrong with it, and not once for each
// level of it: so of what is nested, text of twice the length takes twice as much.
func TestWhatIsNestedIsDecodedOnce(t *testing.T) {
	allocations := func(depth int) float64 {
		text := []byte(`{"lists":` + strings.Repeat("[", depth) + "5" + strings.Repeat("]", depth) + `}`)
		fault := decodeInto(text, new(nestedType))
		return testing.AllocsPerRun(3, func() {
			if path, _ := locate[nestedType](text, fault); !strings.HasPrefix(path, ".lists[0][0]") {
				t.Errorf("found at %q", path)
			}
		})
	}
	less, more := allocations(500), allocations(1000)
	if perLevel := (more - less) / 500; perLevel > 20 {
		t.Errorf("%v allocations for each level", perLevel)
	}
}

// An object that does not decode may come for as long as a program runs, modified
// again and again: the last time costs no more than the first.
func TestWhatDoesNotDecodeLeavesNothingBehind(t *testing.T) {
	text := []byte(`{"metadata":{"name":"a","labels":{"a":"b"},"finalizers":["x"]},"spec":{"nodeName":"n","ports":[{"label":"a","number":1},{"label":"b"},{"number":"x"}]}}`)
	d := widgetDecoder()
	bytesOf := func(events int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range events {
			if item, err := d.careful(text); err != nil || item.Err == nil {
				t.Fatal(item, err)
			}
		}
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) / uint64(events)
	}
	bytesOf(10) // makes the plans
	first := bytesOf(100)
	bytesOf(2000)
	if last := bytesOf(100); last > first+first/4 {
		t.Errorf("%d bytes for each event, then %d", first, last)
	}
}

func BenchmarkUndecodable(b *testing.B) {
	text := []byte(`{"metadata":{"name":"a"},"spec":{"ports":[` + strings.Repeat(`{"label":"l","number":1},`, 60) + `{"number":"x"}]}}`)
	d := widgetDecoder()
	for b.Loop() {
		if item, err := d.careful(text); err != nil || item.Err == nil {
			b.Fatal(item, err)
		}
	}
}
