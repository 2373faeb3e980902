// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

type vector = Vector[string, *int]

// vectorVersion is a copy of a vector, and what a model knows of it.
type vectorVersion struct {
	vector  vector
	objects map[uint32]*int
	written map[uint32]bool // since the version before
}

// vectorVersions writes a vector at random slots, in more and more nodes and branches.
// A version either sets slots or clears some.
func vectorVersions(rng *rand.Rand) []vectorVersion {
	now := vectorVersion{objects: map[uint32]*int{}}
	const branchSize = nodeSize * nodeSize
	chunks := []uint32{0, 1, 3, nodeSize + 2, 3 * nodeSize, 2 * branchSize, 5*branchSize + 7*nodeSize, 5*branchSize + 7*nodeSize + 15}
	versions := []vectorVersion{now}
	for owner := uint64(1); owner <= 60; owner++ {
		now.objects, now.written = maps.Clone(now.objects), map[uint32]bool{}
		for range 1 + rng.IntN(20) {
			reached := 1 + int(owner)*(len(chunks)-1)/60
			slot := chunks[rng.IntN(reached)]*ChunkSize + uint32(rng.IntN(ChunkSize))
			switch {
			case owner%3 > 0:
				now.objects[slot] = new(int)
				now.vector.setSlot(owner, slot, now.objects[slot], "", false)
			case now.objects[slot] != nil:
				now.vector.clearSlot(owner, slot)
				delete(now.objects, slot)
			default:
				continue
			}
			now.written[slot] = true
		}
		versions = append(versions, now)
	}
	return versions
}

// differences returns the slots that may differ between two versions, and the numbers of the chunks that do.
func differences(t *testing.T, old, new *vector, all bool) (slots map[uint32]bool, chunks []int) {
	t.Helper()
	slots = map[uint32]bool{}
	for n := 0; ; {
		next, oldChunk, newChunk := NextDifference(old, new, n, all)
		if oldChunk == nil && newChunk == nil {
			return slots, chunks
		}
		if next <= n || oldChunk != old.Chunk(next-1) || newChunk != new.Chunk(next-1) {
			t.Fatalf("after chunk %d, the difference before %d is not that of both versions", n, next)
		}
		for rest := Differing(oldChunk, newChunk); rest != 0; rest &= rest - 1 {
			slots[uint32((next-1)*ChunkSize+bits.TrailingZeros32(rest))] = true
		}
		n, chunks = next, append(chunks, next-1)
	}
}

func TestVectorDifferences(t *testing.T) {
	versions := vectorVersions(rand.New(rand.NewPCG(1, 2)))
	for i := range versions {
		for j := range versions {
			old, new := &versions[i], &versions[j]
			got, _ := differences(t, &old.vector, &new.vector, false)
			live := map[uint32]bool{} // chunks
			for _, objects := range []map[uint32]*int{old.objects, new.objects} {
				for slot := range objects {
					live[slot/ChunkSize] = true
					if old.objects[slot] != new.objects[slot] && !got[slot] {
						t.Fatalf("versions %d and %d differ in slot %d, which is not in %v", i, j, slot, got)
					}
				}
			}
			if _, chunks := differences(t, &old.vector, &new.vector, true); len(chunks) != len(live) {
				t.Fatalf("versions %d and %d have %d chunks, want %d", i, j, len(chunks), len(live))
			}
			unwritten := map[uint32]int{} // by chunk
			for slot := range got {
				if j == i+1 && !new.written[slot] {
					unwritten[slot/ChunkSize]++
				}
			}
			for chunk, n := range unwritten {
				if n > ChunkSize/4 {
					t.Fatalf("version %d changes %d slots of chunk %d that it did not write", j, n, chunk)
				}
			}
		}
	}
}

func TestVectorReadsSlots(t *testing.T) {
	for _, v := range vectorVersions(rand.New(rand.NewPCG(1, 2))) {
		slots := slices.Collect(maps.Keys(v.objects))
		objects := v.vector.Read(make([]*int, len(slots)+1), slots)
		if len(objects) != len(slots) {
			t.Fatalf("%d objects of %d slots", len(objects), len(slots))
		}
		for i, slot := range slots {
			if objects[i] != v.objects[slot] {
				t.Fatalf("slot %d has another object", slot)
			}
		}
	}
}
