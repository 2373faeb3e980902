// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
)

type object struct {
	key types.NamespacedName
	n   int
}

// row is what a model knows of a key.
type row struct {
	slot  uint32
	obj   *object
	stale bool
}

type model map[types.NamespacedName]row

// keyOf returns one of some thousand keys, some of them without a namespace or a name.
func keyOf(n int) types.NamespacedName {
	key := types.NamespacedName{Namespace: fmt.Sprint("ns-", n%7), Name: fmt.Sprint("name-", n)}
	switch n {
	case 8:
		key.Namespace = ""
	case 9:
		key.Name = ""
	}
	return key
}

// Table agrees with a map after random operations, and a copy keeps what it had.
func TestTableAgainstMap(t *testing.T) {
	for _, derive := range []bool{false, true} {
		t.Run(fmt.Sprint("derive ", derive), func(t *testing.T) {
			const keys = 9000 // more than a node of the highest level has
			rng := rand.New(rand.NewPCG(1, 2))
			type version struct {
				table Table[types.NamespacedName, *object]
				want  model
			}
			now := version{want: model{}}
			now.table.Keys = NewKeys(func(o *object) types.NamespacedName { return o.key }, derive)
			tb := &now.table
			var (
				past  []version
				free  []uint32
				next  uint32
				owner uint64
			)
			for n := range 3 * keys {
				key := keyOf(n)
				if n >= keys {
					key = keyOf(rng.IntN(keys))
				}
				hash, obj := tb.Hash(key), &object{key, n}
				slot := tb.Find(hash, key)
				was, there := now.want[key]
				if !there {
					was.slot = NoSlot
				}
				if slot != was.slot {
					t.Fatalf("%v is in slot %d, want %d", key, slot, was.slot)
				}
				switch {
				case !there:
					if len(free) > 0 {
						slot, free = free[len(free)-1], free[:len(free)-1]
					} else {
						slot = next
						next++
					}
					tb.Insert(owner, slot, hash, obj, key)
					now.want[key] = row{slot, obj, false}
				case rng.IntN(3) == 0:
					tb.Update(owner, slot, obj, key)
					now.want[key] = row{slot, obj, false}
				case rng.IntN(2) == 0:
					was.stale = rng.IntN(2) == 0
					tb.SetStale(owner, slot, was.stale)
					now.want[key] = was
				default:
					if tb.Delete(owner, slot, ^hash) || !tb.Delete(owner, slot, hash) {
						t.Fatalf("Delete of %v with another hash, or not with its own", key)
					}
					ch := tb.Chunk(int(slot / ChunkSize))
					if ch != nil && !derive && ch.Keys[slot%ChunkSize] != (types.NamespacedName{}) {
						t.Fatalf("the key of %v is left", key)
					}
					free = append(free, slot)
					delete(now.want, key)
				}
				if n%5000 == 0 {
					past = append(past, version{now.table, maps.Clone(now.want)})
					owner++
				}
			}
			for _, v := range append(past, now) {
				checkTable(t, &v.table, v.want)
			}
			for key, r := range now.want {
				tb.Delete(owner+1, r.slot, tb.Hash(key))
			}
			checkTable(t, tb, model{})
			for n := range tb.Chunks() {
				if tb.Chunk(n) != nil {
					t.Fatalf("chunk %d is left in an empty table", n)
				}
			}
		})
	}
}

func checkTable(t *testing.T, tb *Table[types.NamespacedName, *object], want model) {
	t.Helper()
	if tb.Len() != len(want) {
		t.Errorf("%d objects, want %d", tb.Len(), len(want))
	}
	for n := range 9010 {
		key := keyOf(n)
		r, there := want[key]
		if obj, slot := tb.Get(tb.Hash(key), key); (slot != NoSlot) != there || obj != r.obj {
			t.Fatalf("Get(%v) = %v, %v, want %v", key, obj, slot, r.obj)
		}
		if there && (tb.At(r.slot) != r.obj || tb.KeyAt(r.slot) != key || tb.Stale(r.slot) != r.stale) {
			t.Fatalf("slot %d has %v, stale: %v, want %v", r.slot, tb.At(r.slot), tb.Stale(r.slot), r)
		}
	}
	count, last := 0, -1
	tb.Each(func(slot uint32, ch *Chunk[types.NamespacedName, *object]) bool {
		if r := want[tb.KeyIn(ch, slot)]; r.slot != slot || int(slot) <= last {
			t.Errorf("slot %d comes after %d, want one of %v", slot, last, r)
		}
		count, last = count+1, int(slot)
		return true
	})
	stopped := 0
	tb.Each(func(uint32, *Chunk[types.NamespacedName, *object]) bool { stopped++; return stopped < 40 })
	if count != len(want) || stopped != min(40, count) {
		t.Errorf("Each yields %d and stops after %d of %d", count, stopped, len(want))
	}
}

// A key that is stored counts, and not the one that Of returns.
func TestStoredKeyCounts(t *testing.T) {
	tb := Table[string, string]{Keys: NewKeys(func(string) string { return "other" }, false)}
	const hash = 0 // of all keys
	tb.Insert(1, 0, hash, "object", "key")
	if _, slot := tb.Get(hash, "other"); slot != NoSlot || tb.Find(hash, "other") != NoSlot {
		t.Error("an object is found by a key that it was not stored under")
	}
	if obj, _ := tb.Get(hash, "key"); obj != "object" || tb.Find(hash, "key") != 0 {
		t.Errorf("the object of the key is %q", obj)
	}
}

// The lowest key does not depend on slots.
func TestLowest(t *testing.T) {
	tb := Table[string, string]{Keys: NewKeys(func(s string) string { return s }, true)}
	var p posting.Posting
	for i, key := range []string{"d", "b", "a", "c"} {
		slot := uint32(i)
		tb.Insert(1, slot, tb.Hash(key), key, key)
		p.Add(1, slot)
		want := []string{"d", "b", "a", "a"}[i]
		if got, ok := tb.Lowest(&p); !ok || got != want {
			t.Errorf("the lowest of %d is %s, want %s", i+1, got, want)
		}
	}
}

type reversed int

func (a reversed) Compare(b reversed) int { return cmp.Compare(b, a) }

func TestKeyOrder(t *testing.T) {
	name := func(ns, name string) types.NamespacedName {
		return types.NamespacedName{Namespace: ns, Name: name}
	}
	checkOrder(t, "", "a", "b")
	checkOrder(t, name("a", "z"), name("b", "a"), name("b", "b"))
	checkOrder(t, reversed(3), reversed(2), reversed(1))
	checkOrder(t, [1]string{"a"}, [1]string{"b"})
}

func checkOrder[K comparable](t *testing.T, keys ...K) {
	t.Helper()
	order := NewKeys(func(k K) K { return k }, true).Order
	for i, a := range keys {
		for j, b := range keys {
			if got, want := order(a, b), cmp.Compare(i, j); got != want {
				t.Errorf("order(%v, %v) = %d, want %d", a, b, got, want)
			}
		}
	}
}
