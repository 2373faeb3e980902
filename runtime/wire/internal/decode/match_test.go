// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// matching makes sure that text matches held only if it is decoded to the same,
// and tells whether it matches.
func matching(t *testing.T, d *Decoder, text string, held *plain) bool {
	t.Helper()
	n, same := d.Match([]byte(text), held, false)
	if !same {
		return false
	}
	decoded := new(plain)
	m, err := d.Decode([]byte(text), decoded)
	if err != nil || n != m || !reflect.DeepEqual(decoded, held) {
		t.Errorf(
			"taken for what is held: %s\nheld    %+v\ndecoded %+v, %d, %d, %v",
			text,
			held,
			decoded,
			n,
			m,
			err,
		)
	}
	return true
}

func TestWhatWasDecodedMatches(t *testing.T) {
	d := New(Options{})
	var objects []*plain
	for _, text := range sound {
		obj := new(plain)
		if _, err := d.Decode([]byte(text), obj); err != nil {
			t.Fatal(err)
		}
		if !matching(t, d, text, obj) && !strings.Contains(text, `\u`) { // escaped names of a map
			t.Errorf("no match: %s", text)
		}
		objects = append(objects, obj)
	}
	for _, text := range append(sound, `{}}`, `{`, ``, `[]`, `null`, `{"string":"a","string":"b"}`, `{"bool":false,"map":null}`, `{"metadata":null}`, `{"metadata":{"creationTimestamp":null}}`) {
		for _, obj := range objects {
			matching(t, d, text, obj)
		}
	}
}

// Each of these differs slightly from the held object.
func TestWhatDiffersDoesNotMatch(t *testing.T) {
	const base = `{"bool":true,"int":1,"float":1.5,"string":"s","pointer":7,"strings":["a","b"],"nested":[{"int":1},{"int":2}],"self":{"map":{"a":"1","b":"2"}},` +
		`"limits":{"cpu":"1"},"any":[1],"time":"2026-01-01T00:00:00Z","metadata":{"name":"n","labels":{"k":"v"},"managedFields":[{"fieldsV1":{"f:a":{}}}]}}`
	d := New(Options{})
	held := new(plain)
	if _, err := d.Decode([]byte(base), held); err != nil || !matching(t, d, base, held) {
		t.Fatalf("%v, or no match", err)
	}
	for _, change := range [][2]string{
		{`true`, `false`}, {`"int":1,`, `"int":2,`}, {`"int":1,`, `"int":1.0,`}, {`1.5`, `1.25`}, {`"s"`, `"t"`}, {`"s"`, `null`}, {`"s"`, `""`}, {`7`, `8`}, {`7`, `null`}, {`"a","b"`, `"a"`},
		{`"a","b"`, `"a","b","c"`}, {`["a","b"]`, `[]`}, {`["a","b"]`, `null`}, {`{"int":2}`, `{"int":2,"bool":true}`}, {`,{"int":2}`, ``}, {`"a":"1",`, ``},
		{`"b":"2"`, `"b":"3"`}, {`"b":"2"`, `"c":"2"`}, {`"a":"1"`, `"a":"1","aa":"1"`}, {`"b":"2"`, `"a":"1"`}, {`{"a":"1","b":"2"}`, `{}`}, {`"cpu":"1"`, `"cpu":"2"`}, {`[1]`, `[2]`},
		{`2026`, `2025`}, {`"k":"v"`, ``}, {`"f:a"`, `"f:b"`}, {`"bool":true`, `"bool":true,"bool":true`}, {`"bool":true`, `"bool":true,"int8":1`}, {`"bool":true,`, ``}, {`{"int":1}`, `{"int":1,}`},
		{`{"bool"`, `{"kind":"K","bool"`},
	} {
		text := strings.Replace(base, change[0], change[1], 1)
		if text == base || matching(t, d, text, held) {
			t.Errorf("%q for %q matches", change[1], change[0])
		}
	}
	typed := strings.Replace(base, `{"bool"`, `{"apiVersion":"v1","kind":"K","bool"`, 1)
	if _, same := d.Match([]byte(typed), held, true); !same {
		t.Error("the kind that is not held is a difference")
	}
	if _, same := d.Match([]byte(strings.Replace(typed, `"K"`, `5`, 1)), held, true); same {
		t.Error("a kind that is no string is none")
	}
	below := &plain{Self: &plain{TypeMeta: metav1.TypeMeta{}}}
	if _, same := d.Match([]byte(`{"self":{"kind":"K"}}`), below, true); same {
		t.Error("a kind further down is a difference")
	}
}

type (
	// Paused is embedded by pointer, and has what nothing is decoded into.
	Paused struct {
		Paused bool   `json:"paused"`
		Hidden string `json:"-"`
		*Deeper
	}
	Deeper struct {
		Deep int `json:"deep"`
	}
	// Shadowed has nothing that counts.
	Shadowed struct {
		Own string `json:"own"`
	}
	privately struct {
		metav1.ObjectMeta `json:"metadata"`
		*Paused
		Shadowed
		Own   string `json:"own"`
		Note  string `json:"-"`
		cache map[string]int
		Below []struct {
			note int
			N    int `json:"n"`
		} `json:"below"`
	}
)

// Fields that the text does not have are compared, too: decoding would leave them zero.
func TestMatchComparesAbsentFields(t *testing.T) {
	const plain, paused = `{"metadata":{"name":"a"},"own":"o","below":[{"n":1}]}`, `{"paused":false,"metadata":{"name":"a"},"own":"o","below":[{"n":1}]}`
	for _, test := range []struct {
		name, held, text string
		change           func(*privately)
		want             bool
	}{
		{"as it is", plain, plain, nil, true},
		{"as it is", paused, paused, nil, true},
		{"nothing for a pointer to nothing", paused, plain, nil, false},
		{"a pointer to nothing for nothing", plain, paused, nil, false},
		{"through two pointers", `{"deep":0}`, `{"deep":0}`, nil, true},
		{"less by one pointer", `{"deep":0}`, `{"paused":false}`, nil, false},
		{"more by one pointer", `{"paused":false}`, `{"deep":0}`, nil, false},
		{"a note", plain, plain, func(p *privately) { p.Note = "n" }, false},
		{"a field that is not exported", plain, plain, func(p *privately) { p.cache = map[string]int{} }, false},
		{"one of an element", plain, plain, func(p *privately) { p.Below[0].note = 1 }, false},
		{"one that another hides", plain, plain, func(p *privately) { p.Shadowed.Own = "s" }, false},
		{"one behind a pointer", paused, paused, func(p *privately) { p.Hidden = "h" }, false},
	} {
		d := New(Options{})
		held := new(privately)
		if _, err := d.Decode([]byte(test.held), held); err != nil {
			t.Fatal(err)
		}
		if test.change != nil {
			test.change(held)
		}
		if _, same := d.Match([]byte(test.text), held, false); same != test.want {
			t.Errorf("%s: %v", test.name, same)
		}
	}
}

func TestMatchMakesNothing(t *testing.T) {
	text := workloads()[7]
	d := New(Options{})
	held := new(workload)
	if _, err := d.Decode(text, held); err != nil {
		t.Fatal(err)
	}
	if _, same := d.Match(text, held, false); !same {
		t.Fatal("no match")
	}
	if n := testing.AllocsPerRun(100, func() { d.Match(text, held, false) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func FuzzMatch(f *testing.F) {
	for i, text := range sound {
		f.Add(text, text)
		f.Add(text, sound[(i+1)%len(sound)])
	}
	f.Fuzz(func(t *testing.T, text, other string) {
		if !utf8.ValidString(text) || !utf8.ValidString(other) {
			t.Skip() // the caller's to see
		}
		d := New(Options{})
		held := new(plain)
		if _, err := d.Decode([]byte(text), held); err != nil {
			t.Skip()
		}
		matching(t, d, text, held)
		matching(t, d, other, held)
	})
}

// The reference refuses a quoted field that is not quoted.
func TestQuotedFieldsMatchAsTheyDecode(t *testing.T) {
	type quoted struct {
		N int `json:"n,string"`
	}
	d := New(Options{})
	for text, want := range map[string]bool{`{"n":"5"}`: true, `{"n":5}`: false, `{"n":"6"}`: false} {
		if _, same := d.Match([]byte(text), &quoted{N: 5}, false); same != want {
			t.Errorf("%s: %v", text, same)
		}
	}
}
