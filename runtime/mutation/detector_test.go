// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package mutation

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

type object struct{ N float64 }

// logged returns a detector, and what it reported, sorted, since the last call.
func logged() (d *detector, log func() []string) {
	var lines []string
	report := func(f func() error) {
		var m *store.MutationError
		if err := f(); errors.As(err, &m) {
			lines = append(lines, fmt.Sprint(m.Key, m.Path, " ", m.Was, " is ", m.Is))
		} else {
			lines = append(lines, err.Error())
		}
	}
	return newDetector(report).(*detector), func() []string {
		now := lines
		lines = nil
		slices.Sort(now)
		return now
	}
}

// Detector agrees with a map of the states that it saw last.
func TestDetectorAgainstMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	d, log := logged()
	objs, seen := map[int]*object{}, map[int]float64{}
	var want []string
	refused := func(key int) bool {
		if math.IsNaN(objs[key].N) {
			want = append(want, fmt.Sprintf("mutation detector: *mutation.object %d is not watched: json: unsupported value: NaN", key))
			delete(objs, key)
			return true
		}
		return false
	}
	compare := func(key int) {
		obj, watched := objs[key]
		if watched && !refused(key) && obj.N != seen[key] {
			want = append(want, fmt.Sprint(key, ".N ", seen[key], " is ", obj.N))
			seen[key] = obj.N
		}
	}
	number := func() float64 { return []float64{1, 2, 3, 4, math.NaN()}[rng.IntN(5)] }
	for n := range 20000 {
		want = nil
		key := rng.IntN(12)
		obj, watched := objs[key]
		switch op := rng.IntN(6); {
		case op == 0 && !watched:
			objs[key] = &object{number()}
			d.watch(key, objs[key])
			if !refused(key) {
				seen[key] = objs[key].N
			}
		case op == 1:
			d.Drop(key)
			compare(key)
			delete(objs, key)
		case op == 2:
			if key := d.compareAny(); key != nil {
				compare(key.(int))
			}
		case op == 3 && n%8 == 0:
			d.CheckAll()
			for key := range objs {
				compare(key)
			}
		case watched:
			obj.N = number()
		}
		slices.Sort(want)
		if got := log(); !slices.Equal(got, want) {
			t.Fatalf("after %d operations it reported %q, want %q", n, got, want)
		}
		if len(d.watched) != len(objs) {
			t.Fatalf("%d objects are watched, want %d", len(d.watched), len(objs))
		}
	}
}

// An object beyond the limit is watched instead of another one, which is compared.
func TestDetectorReplacesBeyondTheLimit(t *testing.T) {
	d, log := logged()
	objs := make([]*object, maxWatched+1)
	for key := range objs {
		objs[key] = &object{1}
		if key == maxWatched {
			for _, obj := range objs[:key] {
				obj.N = 2
			}
		}
		d.watch(key, objs[key])
		if want := min(key+1, maxWatched); len(d.watched) != want {
			t.Fatalf("%d of %d objects are watched, want %d", len(d.watched), key+1, want)
		}
	}
	if got := log(); len(got) != 1 {
		t.Errorf("it reported %q, want the one that it dropped", got)
	}
	objs[maxWatched].N = 3
	d.Drop(maxWatched)
	if got := log(); len(got) != 1 || !strings.HasPrefix(got[0], fmt.Sprint(maxWatched)) {
		t.Errorf("it reported %q, want the last object", got)
	}
}

func TestFirstDifference(t *testing.T) {
	long := strings.Repeat("ä", 118) // 120 characters with its quotes
	for _, c := range []struct{ was, is, path, x, y string }{
		{`{"a":{"b":1}}`, `{"a":{"b":2}}`, ".a.b", "1", "2"},
		{`{"a":1,"b":1}`, `{"a":2,"b":2}`, ".a", "1", "2"},
		{`{"a":[1,2]}`, `{"a":[1,3]}`, ".a[1]", "2", "3"},
		{`{"a":[1]}`, `{"a":[1,{}]}`, ".a[1]", "absent", "{}"},
		{`{"a/b":null}`, `{}`, "['a/b']", "null", "absent"},
		{`{"a":{}}`, `{"a":[]}`, ".a", "{}", "[]"},
		{`{"a":[]}`, `{"a":0}`, ".a", "[]", "0"},
		{`12345678901234567890`, `12345678901234567891`, "", "12345678901234567890", "12345678901234567891"},
		{`"` + long + `"`, `"ä` + long + `"`, "", `"` + long + `"`, `"ä` + long + "…"},
	} {
		path, x, y := firstDifference("", decoded([]byte(c.was)), decoded([]byte(c.is)))
		if path != c.path || show(x) != c.x || show(y) != c.y {
			t.Errorf("%s and %s differ at %q: %s, %s; want %q: %s, %s",
				c.was, c.is, path, show(x), show(y), c.path, c.x, c.y)
		}
	}
}
