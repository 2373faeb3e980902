// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"errors"
	"hash/maphash"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
)

// A row has a value in each of three indexes; 0 is none.
type row [3]int

// A rowSet is the indexes of rows, and the rows that they must have.
type rowSet struct {
	Set[row]
	versions Versions
	all      []*Index[row, int]
	owner    uint64
	rows     map[uint32]row
	calls    int // of index functions
	errs     []error
}

// addIndex adds the next index. The last one is ordered.
func (s *rowSet) addIndex() {
	n := len(s.all)
	x := &Index[row, int]{
		Fn: func(dst []int, r row) []int {
			s.calls++
			if r[n] == 0 {
				return dst
			}
			return append(dst, r[n])
		},
		Watch:  &notify.List{},
		Report: func(err error) { s.errs = append(s.errs, err) },
	}
	if n == len(row{})-1 {
		x.Order = cmp.Compare[int]
	}
	x.Add(&s.versions, s.owner, maphash.MakeSeed())
	s.Add(x, &s.versions, s.owner, func(yield func(uint32, *row)) {
		for slot, r := range s.rows {
			yield(slot, &r)
		}
	})
	s.all = append(s.all, x)
}

// write stores r in slot, or nothing if it is nil. It returns the number of calls of index functions.
func (s *rowSet) write(slot uint32, r *row) int {
	s.calls = 0
	if old, had := s.rows[slot]; had {
		s.Stage(&old, r, slot)
	} else {
		s.Stage(nil, r, slot)
	}
	if s.Commit(&s.versions, s.owner, slot); r == nil {
		delete(s.rows, slot)
	} else {
		s.rows[slot] = *r
	}
	return s.calls
}

func checkRows(t *testing.T, s *rowSet, v *Versions, rows map[uint32]row) {
	t.Helper()
	for n, x := range s.all[:v.Len()] {
		want := map[int]map[uint32]bool{}
		for slot, r := range rows {
			if want[r[n]] == nil {
				want[r[n]] = map[uint32]bool{}
			}
			want[r[n]][slot] = true
		}
		delete(want, 0)
		b := x.In(v)
		if b.Len() != len(want) {
			t.Fatalf("index %d has %d values, want %d", n, b.Len(), len(want))
		}
		for value, slots := range want {
			e := b.Find(x.Hash(value), value)
			if e == nil || e.Posting.Len() != len(slots) {
				t.Fatalf("index %d has %v under %d, want %v", n, e, value, slots)
			}
			for _, slot := range e.Posting.AppendTo(nil) {
				if !slots[slot] {
					t.Fatalf("index %d has slot %d under %d, want %v", n, slot, value, slots)
				}
			}
		}
	}
}

// A set agrees with a map after random writes, some of them to rows that were changed in the store.
func TestSetAgainstMap(t *testing.T) {
	const slots = 60
	rng := rand.New(rand.NewPCG(1, 2))
	s := &rowSet{rows: map[uint32]row{}}
	type version struct {
		versions Versions
		rows     map[uint32]row
	}
	var past []version
	impure := 0
	for n := range 6000 {
		if n%1000 == 0 {
			if len(s.all) < len(row{}) {
				s.addIndex()
			}
			past = append(past, version{s.versions, maps.Clone(s.rows)})
			s.owner++
		}
		slot := min(rng.Uint32N(slots), uint32(len(s.Fingerprints)))
		r := s.rows[slot]
		for i := range r {
			if rng.IntN(2) == 0 {
				r[i] = rng.IntN(20)
			}
		}
		old, had := s.rows[slot]
		changed := had && rng.IntN(20) == 0
		if changed {
			old[rng.IntN(len(old))] = 30
			s.rows[slot] = old
		}
		s.errs = nil
		if rng.IntN(4) == 0 {
			s.write(slot, nil)
		} else {
			s.write(slot, &r)
		}
		for _, err := range s.errs {
			if impure++; !changed || !errors.Is(err, ErrImpure) {
				t.Fatalf("an error of a row that is as it was stored: %v", err)
			}
		}
	}
	if impure == 0 {
		t.Error("no row that was changed in the store is reported")
	}
	for _, v := range append(past, version{s.versions, s.rows}) {
		checkRows(t, s, &v.versions, v.rows)
	}
}

// An update asks the functions about the old object only until the difference is explained. It begins
// with the index that changed last.
func TestUpdateAsksFewFunctions(t *testing.T) {
	s := &rowSet{rows: map[uint32]row{}}
	for range len(row{}) {
		s.addIndex()
	}
	for i, test := range []struct {
		new   *row
		calls int
	}{
		{&row{1, 2, 3}, 3},
		{&row{1, 2, 3}, 3},
		{&row{9, 2, 3}, 4},
		{&row{9, 2, 4}, 6},
		{&row{9, 2, 5}, 4},
		{&row{1, 2, 6}, 5},
		{&row{2, 2, 6}, 4},
		{&row{2, 3, 6}, 5},
		{nil, 3},
	} {
		if calls := s.write(0, test.new); calls != test.calls {
			t.Errorf("write %d calls %d functions, want %d", i, calls, test.calls)
		}
		checkRows(t, s, &s.versions, s.rows)
	}
}

type phase int

func (phase) String() string { return "Running" }

// Sizes has each value as people read it.
func TestSizes(t *testing.T) {
	type site struct{ Site, State string }
	type named struct{ phase }
	checkSizes(t, "Site: berlin, State: \"\"", site{"berlin", ""})
	checkSizes(t, "Running", named{})
	checkSizes(t, "Running", phase(1))
	checkSizes(t, "berlin", "berlin")
}

func checkSizes[V comparable](t *testing.T, want string, value V) {
	t.Helper()
	x := &Index[int, V]{Fn: func(dst []V, _ int) []V { return append(dst, value) }}
	var versions Versions
	x.Add(&versions, 0, maphash.MakeSeed())
	for slot := range uint32(3) {
		x.StageNew(new(int))
		x.Commit(&versions, 0, slot, true)
	}
	for got, objects := range versions.Sizes(x.ID) {
		if got != want || objects != 3 {
			t.Errorf("%d objects of %q, want 3 of %q", objects, got, want)
		}
	}
}
