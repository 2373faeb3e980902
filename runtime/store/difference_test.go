// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// odd has values that do not equal themselves, and some that equal what they are not.
type odd struct {
	Name   string
	F      float64
	F32    float32
	C      complex128
	List   []float64
	Any    any
	ByF    map[float64]int
	Moody  moody
	hidden struct {
		f    [2]float32
		held any
	}
}

// moody equals nothing.
type moody struct {
	N     int
	list  []int
	float float64
}

func (moody) Equal(moody) bool { return false }

func newOdd() *odd {
	nan := math.NaN()
	o := &odd{Name: "a", F: nan, F32: float32(nan), C: complex(nan, 0), List: []float64{nan}, Any: nan, ByF: map[float64]int{nan: 1, 2: 2}}
	o.Moody = moody{list: []int{1}, float: nan}
	o.hidden.f[1], o.hidden.held = float32(nan), nan
	return o
}

func TestNaNIsNoMutation(t *testing.T) {
	s := store.New(func(o *odd) string { return o.Name }, store.WithMutationDetector())
	_ = s.Set(newOdd())
	if err := s.CheckMutations(); err != nil {
		t.Error(err)
	}
	for path, mutate := range map[string]func(*odd){
		".F":        func(o *odd) { o.F = math.Float64frombits(math.Float64bits(o.F) ^ 1) },
		".F32":      func(o *odd) { o.F32 = 1 },
		".C":        func(o *odd) { o.C = complex(math.NaN(), math.Copysign(0, -1)) },
		".List[0]":  func(o *odd) { o.List[0] = 0 },
		".Any":      func(o *odd) { o.Any = 0.0 },
		".ByF['2']": func(o *odd) { o.ByF[2] = 3 },
		".ByF['4']": func(o *odd) { o.ByF[4] = 3 },
		".ByF":      func(o *odd) { o.ByF[math.NaN()] = 3 },
		".Moody.N":  func(o *odd) { o.Moody.N++ },
		".Moody":    func(o *odd) { o.Moody.list = nil },
		".":         func(o *odd) { o.hidden.held = 1.0 },
	} {
		o := newOdd()
		_ = s.Set(o)
		mutate(o)
		var me *store.MutationError
		if err := s.CheckMutations(); !errors.As(err, &me) || me.Path != path {
			t.Errorf("%s: got %v", path, err)
		}
		if err := s.CheckMutations(); err != nil {
			t.Errorf("%s: reported again: %v", path, err)
		}
	}
}

// knot is an object that can be reached from itself in every way.
type knot struct {
	Name  string
	Self  *knot
	Any   any
	Map   map[string]any
	List  []any
	N     *int
	other any
}

func newKnot() *knot {
	k := &knot{Name: "a", Map: map[string]any{}, List: make([]any, 1), N: new(int)}
	k.Self, k.Any, k.Map["map"], k.Map["knot"], k.List[0] = k, k, k.Map, k, k.List
	return k
}

func TestObjectThatPointsToItself(t *testing.T) {
	s := store.New(func(k *knot) string { return k.Name }, store.WithMutationDetector())
	k := newKnot()
	_ = s.Set(k)
	if err := s.CheckMutations(); err != nil {
		t.Error(err)
	}
	for path, mutate := range map[string]func(*knot){
		".N":          func(k *knot) { *k.N = 1 },
		".Self":       func(k *knot) { k.Self = nil },
		".Any":        func(k *knot) { k.Any = 7 },
		".Map['map']": func(k *knot) { k.Map["map"] = nil },
		".Map['new']": func(k *knot) { k.Map["new"] = k.Map },
		".List":       func(k *knot) { k.List = append(k.List, k.Map) },
		".":           func(k *knot) { k.other = k.List },
	} {
		k := newKnot()
		_ = s.Set(k)
		mutate(k)
		var me *store.MutationError
		if err := s.CheckMutations(); !errors.As(err, &me) || strings.TrimPrefix(me.Path, ".Self") != strings.TrimPrefix(path, ".Self") {
			t.Errorf("%s: got %v", path, err)
		}
		if err := s.CheckMutations(); err != nil {
			t.Errorf("%s: reported again: %v", path, err)
		}
	}
}

// meddler is an object whose methods, and those of whose key, write to the store.
type meddler struct {
	Key  meddlerKey
	Part meddling
}

type meddlerKey struct{ name string }

type meddling struct{ n int }

var meddle func()

func (k meddlerKey) String() string { meddle(); return k.name }

func (p meddling) Equal(o meddling) bool { meddle(); return p == o }

func (p meddling) String() string { meddle(); return "a part" }

// What is reported is put into words, and what is remembered compared, under no lock.
func TestMethodsOfObjectsMayWrite(t *testing.T) {
	var (
		s     *store.Store[meddlerKey, *meddler]
		wrote = true
	)
	meddle = func() {
		if !wrote { // its own write asks again
			wrote = true
			_ = s.Set(&meddler{Key: meddlerKey{"of the meddler"}})
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for name, act := range map[string]func(*meddler){
			"checked":  func(*meddler) { _ = s.CheckMutations() },
			"replaced": func(*meddler) { _ = s.Set(&meddler{Key: meddlerKey{"a"}}) },
			"deleted":  func(*meddler) { s.Delete(meddlerKey{"a"}) },
			"relisted": func(*meddler) { _ = s.Replace(nil, "2") },
			"a mutation": func(m *meddler) {
				m.Part.n++
				_ = s.CheckMutations()
			},
			"an index error": func(*meddler) { _ = s.Set(&meddler{Key: meddlerKey{"panics"}}) },
		} {
			s = store.New(func(m *meddler) meddlerKey { return m.Key }, store.WithMutationDetector())
			store.AddIndex(s, "name", func(dst []string, m *meddler) []string {
				if m.Key.name == "panics" {
					panic(meddlerKey{"what it panics with"})
				}
				return append(dst, m.Key.name)
			})
			m := &meddler{Key: meddlerKey{"a"}}
			_ = s.Set(m)
			wrote = false
			act(m)
			if _, ok := s.Reader().Get(meddlerKey{"of the meddler"}); !ok {
				t.Errorf("%s: no method has been asked", name)
			}
			wrote = true
		}
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("a method of an object waits for a lock that is held while it is asked")
	}
}

// Of a long value a message has whole characters.
func TestLongValuesAreCutBetweenCharacters(t *testing.T) {
	for shift := range 4 {
		s := store.New(func(o *odd) string { return "key" }, store.WithMutationDetector())
		o := &odd{}
		_ = s.Set(o)
		o.Name = strings.Repeat("x", shift) + strings.Repeat("語", 100)
		if err := s.CheckMutations(); err == nil || !utf8.ValidString(err.Error()) || !strings.Contains(err.Error(), "語…") {
			t.Errorf("after %d bytes: %v", shift, err)
		}
	}
}
