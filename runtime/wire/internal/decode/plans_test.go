// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package decode

import (
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/intern"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/spare"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// variety has places of all forms in which strings and elements come.
type variety struct {
	metav1.ObjectMeta `json:"metadata"`

	Names   []string                       `json:"names"`
	Pointer *string                        `json:"pointer"`
	Lists   [][]string                     `json:"lists"`
	Parts   []variety                      `json:"parts"`
	By      map[string][]map[string]string `json:"by"`
	Tree    tree                           `json:"tree"`
	Forest  forest                         `json:"forest"`
}

const varied = `{"metadata":{"name":"a","labels":{"b":"c"}},"names":["d"],"pointer":"e","lists":[["f"]],"parts":[{"names":["g"]}],` +
	`"by":{"h":[{"i":"j"}]},"tree":{"k":{"l":{}}},"forest":[[],[[]]]}`

// Whatever is decoded, by however many Decoders, in whatever order: each Go type is
// made a plan for once, and its places are numbered once.
func TestPlansAreMadeOnce(t *testing.T) {
	texts := map[reflect.Type]string{
		reflect.TypeFor[variety]():                        varied,
		reflect.TypeFor[*variety]():                       varied,
		reflect.TypeFor[[]variety]():                      "[" + varied + "]",
		reflect.TypeFor[string]():                         `"a"`,
		reflect.TypeFor[[]string]():                       `["a"]`,
		reflect.TypeFor[map[string]string]():              `{"a":"b"}`,
		reflect.TypeFor[map[string][]map[string]string](): `{"a":[{"b":"c"}]}`,
		reflect.TypeFor[tree](): strings.Repeat(
			`{"a":`,
			500,
		) + `{}` + strings.Repeat(
			`}`,
			500,
		),
		reflect.TypeFor[forest](): strings.Repeat(
			`[`,
			500,
		) + strings.Repeat(
			`]`,
			500,
		),
	}
	all := func() {
		d := New(Options{})
		for t1, text := range texts {
			d.begin([]byte(text))
			if err := d.planOf(t1).decode(d, reflect.New(t1).Elem()); err != nil || d.pos != len(text) {
				t.Errorf("%v: %s", t1, text)
			}
		}
	}
	stringsBefore, slicesBefore := intern.Places.Len(), spare.Places.Len()
	var wait sync.WaitGroup
	for range 4 { // at once, for it is at first that one plan may be made several times
		wait.Go(all)
	}
	wait.Wait()
	strings, slices := intern.Places.Len(), spare.Places.Len()
	for range 100 {
		all()
	}
	if more := intern.Places.Len() - strings; more > 0 {
		t.Errorf("%d more places of strings", more)
	}
	if more := spare.Places.Len() - slices; more > 0 {
		t.Errorf("%d more places of slices and maps", more)
	}
	// A type that contains itself has as many places as it shows, not as deep as it goes.
	if s, l := strings-stringsBefore, slices-slicesBefore; s > 150 || l > 150 {
		t.Errorf("%d places of strings, %d of slices and maps", s, l)
	}
}

// What a Decoder learns about places takes memory for those that it comes to, however
// many other types the process has decoded before.
func TestPlacesOfOthersTakeNoMemory(t *testing.T) {
	intern.Places.Skip(100_000)
	spare.Places.Skip(100_000)
	type late struct {
		Names []string          `json:"names"`
		Parts []struct{ N int } `json:"parts"`
		By    map[string]int    `json:"by"`
	}
	before := heap()
	d := New(Options{})
	if _, err := d.Decode([]byte(`{"names":["ab"],"parts":[{"N":1}],"by":{"cd":1}}`), new(late)); err != nil {
		t.Fatal(err)
	}
	if kept := heap() - before; kept > 100<<10 {
		t.Errorf("the decoder takes %d bytes", kept)
	}
	runtime.KeepAlive(d)
}
