// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package trie

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// hashes are hash functions of tests: a good one, and one that makes deep tries.
var hashes = map[string]func(int) uint64{
	"good": func(k int) uint64 { return uint64(k+1) * 0x9e3779b97f4a7c15 },
	"deep": func(k int) uint64 { return uint64(k) << 45 },
}

func TestTrieAgainstMap(t *testing.T) {
	for name, hash := range hashes {
		for _, reserved := range []int{0, 40, 100, 500, 5000} {
			testAgainstMap(t, fmt.Sprint(name, " ", reserved), reserved, hash)
		}
	}
}

func testAgainstMap(t *testing.T, name string, reserved int, hash func(int) uint64) {
	t.Run(name, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		type frozen struct {
			trie Trie[int]
			want map[int]bool
		}
		var (
			tr    Trie[int]
			model = map[int]bool{}
			old   []frozen
			owner uint64
		)
		tr.Reserve(owner, reserved)
		for range 6000 {
			k := rng.IntN(700)
			is := func(e int) bool { return e == k }
			switch _, there := tr.Find(hash(k), is); {
			case there != model[k]:
				t.Fatalf("find(%d) = %v, want %v", k, there, model[k])
			case !there:
				tr.Insert(owner, hash(k), k, hash)
				model[k] = true
			case rng.IntN(3) == 0:
				if ref := tr.Ref(owner, hash(k), is); ref == nil || *ref != k {
					t.Fatalf("ref(%d) = %v", k, ref)
				}
			default:
				if !tr.Remove(owner, hash(k), is) {
					t.Fatalf("remove(%d) found nothing", k)
				}
				delete(model, k)
			}
			if rng.IntN(400) == 0 {
				want := map[int]bool{}
				for k := range model {
					want[k] = true
				}
				old = append(old, frozen{tr, want})
				owner++
			}
		}
		for _, f := range append(old, frozen{tr, model}) {
			checkTrie(t, &f.trie, f.want, hash)
		}
	})
}

func checkTrie(t *testing.T, tr *Trie[int], want map[int]bool, hash func(int) uint64) {
	t.Helper()
	if tr.count != len(want) {
		t.Errorf("n = %d, want %d", tr.count, len(want))
	}
	if tr.root != nil {
		checkSpare(t, tr.root)
	}
	seen := map[int]bool{}
	for k := range tr.Each {
		if seen[k] || !want[k] {
			t.Errorf("all yields %d (again: %v)", k, seen[k])
		}
		seen[k] = true
	}
	for k := range want {
		if _, ok := tr.Find(hash(k), func(e int) bool { return e == k }); !ok || !seen[k] {
			t.Errorf("%d is lost", k)
		}
	}
}

// checkSpare reports removed entries that a leaf still has.
func checkSpare(t *testing.T, d *directory[int]) {
	t.Helper()
	for i, l := range d.leaves {
		if d.subdirectories != nil && d.subdirectories[i] != nil {
			checkSpare(t, d.subdirectories[i])
			continue
		}
		for _, e := range l.Entries[l.count:] {
			if e != 0 {
				t.Errorf("a leaf still has %d", e)
			}
		}
	}
}

// A write copies a path once.
func TestOwnPathIsNotCopied(t *testing.T) {
	for name, hash := range hashes {
		var tr Trie[int]
		for k := range 1000 {
			tr.Insert(0, hash(k), k, hash)
		}
		seven := func() { tr.Ref(1, hash(7), func(e int) bool { return e == 7 }) }
		if n := testing.AllocsPerRun(100, seven); n > 0 {
			t.Errorf("%s: %v allocations on a path that was copied", name, n)
		}
	}
}

func TestTrieEmptiesAndStops(t *testing.T) {
	var tr Trie[int]
	hash := hashes["good"]
	for k := range 1000 {
		tr.Insert(0, hash(k), k, hash)
	}
	n := 0
	for range tr.Each {
		if n++; n == 10 {
			break
		}
	}
	if n != 10 {
		t.Errorf("broke off after %d", n)
	}
	for k := range 1000 {
		tr.Remove(0, hash(k), func(e int) bool { return e == k })
	}
	if tr.root != nil {
		t.Error("an empty trie keeps its nodes")
	}
}
