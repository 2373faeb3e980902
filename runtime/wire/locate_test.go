// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
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

func locatedIn[E any, T interface {
	*E
	metav1.Object
}](text string) string {
	fault := decodeInto([]byte(text), new(E))
	if fault == nil {
		return "sound"
	}
	return decoderOf[E, T]().locate([]byte(text), fault)
}

// Package decode leaves a struct with a quoted field, and a member that is there twice, to the
// reference, whose paths have neither indexes nor keys.
func TestLocate(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{locatedIn[quotedFields](`{"a":"5","b":"x"}`), ".b"},
		{locatedIn[quotedFields](`{"a":5,"b":1}`), ""},
		{locatedIn[quotedFields](`{"b":1,"c":{"d":{"n":[1,2]},"e":null,"f":{"n":[3,-129]}}}`), ".c.n"},
		{locatedIn[quotedFields](`{"b":1,"b":2,"c":{"d":{"n":[1],"n":[2]},"e":{"n":{}}}}`), ".c.n"},
		{locatedIn[shadowing](`{"x":"s"}`), ".nearX.x or .x"}, // x is embedded twice, so this is the path of the reference, by its release
		{locatedIn[shadowing](`{"x":1}`), "sound"},
		{locatedIn[embracing](`{"unknown":1,"two":2,"three":"x"}`), ".OneOfThree.ThreeOfThree.three or .three"},
	} {
		if !slices.Contains(strings.Split(test.want, " or "), test.got) {
			t.Errorf("got %q, want %q", test.got, test.want)
		}
	}
}

func TestLocateInLargeObjects(t *testing.T) {
	text := `{"metadata":{"name":"a"},"spec":{"ports":[` + strings.Repeat(`{"number":1},`, 300_000) + `{"number":"x"}]}}`
	d, err := widgetDecoder().decodeByReference([]byte(text), delta.Replaced)
	if d.Type != delta.Stale || d.Key.Name != "a" {
		t.Fatalf("%+v, %v", d, err)
	}
	wantError(t, err, "widgets.example.com a cannot be decoded: .spec.ports[300000].number: ")
}

// An object that does not decode may come for as long as a program runs, modified
// again and again: the last time costs no more than the first.
func TestWhatDoesNotDecodeLeavesNothingBehind(t *testing.T) {
	text := []byte(
		`{"metadata":{"name":"a","labels":{"a":"b"},"finalizers":["x"]},"spec":{"nodeName":"n","ports":[{"label":"a","number":1},{"label":"b"},{"number":"x"}]}}`,
	)
	d := widgetDecoder()
	bytesOf := func(events int) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range events {
			if stale, err := d.decodeByReference(text, delta.Updated); stale.Type != delta.Stale || err == nil {
				t.Fatal(stale, err)
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
	text := []byte(
		`{"metadata":{"name":"a"},"spec":{"ports":[` + strings.Repeat(
			`{"label":"l","number":1},`,
			60,
		) + `{"number":"x"}]}}`,
	)
	d := widgetDecoder()
	for b.Loop() {
		if stale, err := d.decodeByReference(text, delta.Updated); stale.Type != delta.Stale || err == nil {
			b.Fatal(stale, err)
		}
	}
}
