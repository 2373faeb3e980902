// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package shard_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/internal/sharding"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
	"go.uber.org/goleak"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type object = metav1.PartialObjectMetadata

// needFields skips a test that lists or watches a shard, if apimachinery is too old.
func needFields(t *testing.T) {
	t.Helper()
	if !sharding.Supported() {
		t.Skip(sharding.ErrUnsupported)
	}
}

func of(t *testing.T, index, count int) shard.Range {
	t.Helper()
	r, err := shard.Of(index, count)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestShardsAreAllThereIs(t *testing.T) {
	for _, count := range []int{1, 2, 3, 7, 10, 64, 1000} {
		var next uint64
		for i := range count {
			r := of(t, i, count)
			if r.First != next || r.Last < r.First {
				t.Fatalf("shard %d of %d is %v, want one that begins at %x", i, count, r, next)
			}
			if size := r.Last - r.First; math.Abs(float64(size)/math.MaxUint64*float64(count)-1) > 0.001 {
				t.Errorf("shard %d of %d is %v, which is not its part", i, count, r)
			}
			next = r.Last + 1
		}
		if next != 0 {
			t.Errorf("%d shards end before %x", count, next)
		}
	}
	for _, wrong := range [][2]int{{0, 0}, {-1, 3}, {3, 3}, {0, -1}} {
		if _, err := shard.Of(wrong[0], wrong[1]); err == nil ||
			!strings.Contains(err.Error(), fmt.Sprintf("no shard %d of %d", wrong[0], wrong[1])) {
			t.Errorf("shard %d of %d: %v", wrong[0], wrong[1], err)
		}
	}
}

func TestRangeHasAName(t *testing.T) {
	if got := of(t, 1, 4).String(); got != "uid 4000000000000000-7fffffffffffffff" {
		t.Errorf("got %q", got)
	}
	all := of(t, 0, 1)
	all.Field = shard.Namespace
	if got := all.String(); got != "namespace 0000000000000000-ffffffffffffffff" {
		t.Errorf("got %q", got)
	}
	if got := all.Selector(); got != "shardRange(object.metadata.namespace, '0x0000000000000000', '0x10000000000000000')" {
		t.Errorf("got %q", got)
	}
	var zero shard.Range // contains what hashes to 0, by UID
	if got := zero.Selector(); got != "shardRange(object.metadata.uid, '0x0000000000000000', '0x0000000000000001')" {
		t.Errorf("got %q", got)
	}
}

// TestNamesThatDifferAtTheEnd is what the documentation of Namespace says of them.
func TestNamesThatDifferAtTheEnd(t *testing.T) {
	shards := func(names ...string) int {
		in := map[int]bool{}
		for _, name := range names {
			o := &object{ObjectMeta: metav1.ObjectMeta{Namespace: name}}
			for i := range 16 {
				r := of(t, i, 16)
				r.Field = shard.Namespace
				if r.Contains(o) {
					in[i] = true
				}
			}
		}
		return len(in)
	}
	if n := shards("team-1", "team-2", "team-3", "team-4", "team-5", "team-6"); n != 1 {
		t.Errorf("names that differ in their last character are in %d shards of 16", n)
	}
	if n := shards("1-team", "2-team", "3-team", "4-team", "5-team", "6-team"); n < 4 {
		t.Errorf("names that differ at the beginning are in %d shards of 16", n)
	}
}

// TestRangeIncludesBothBounds uses the hash of an empty UID, which is FNV-1a's offset.
func TestRangeIncludesBothBounds(t *testing.T) {
	const offset = 14695981039346656037
	for _, r := range []shard.Range{{First: offset, Last: offset}, {First: 0, Last: offset}, {First: offset, Last: math.MaxUint64}} {
		if !r.Contains(new(object)) {
			t.Errorf("%v does not contain the hash %x", r, uint64(offset))
		}
	}
}
