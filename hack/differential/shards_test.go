// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package differential

import (
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/shard"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/sharding"
	"k8s.io/apimachinery/pkg/types"
)

// TestShardRanges compares the selectors of random ranges, and the objects that they
// contain, with apimachinery's pkg/sharding. Its bounds are often the hash of an object.
func TestShardRanges(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		o := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Namespace: fmt.Sprint(
				"ns-",
				rnd.IntN(50),
			), Name: "n", UID: types.UID(fmt.Sprintf("%08x-%04x", rnd.Uint32(), rnd.IntN(1<<16))),
		}}
		count := 1 + rnd.IntN(5)
		r, err := shard.Of(rnd.IntN(count), count)
		if err != nil {
			t.Fatal(err)
		}
		value := string(o.UID)
		if rnd.IntN(2) == 0 {
			r.Field, value = shard.Namespace, o.Namespace
		}
		h := fnv.New64a()
		h.Write([]byte(value))
		switch rnd.IntN(6) {
		case 0:
			r.First = h.Sum64()
			r.Last = max(r.Last, r.First)
		case 1:
			r.Last = h.Sum64()
			r.First = min(r.First, r.Last)
		case 2:
			r.First, r.Last = h.Sum64()+1, math.MaxUint64
		case 3:
			r.First, r.Last = 0, h.Sum64()-1
		}
		theirs := parsed(r.Selector())
		if theirs.String() != r.Selector() {
			t.Fatalf("the selector is %s, want %s", r.Selector(), theirs)
		}
		want, err := theirs.Matches(o)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Contains(o); got != want {
			t.Fatalf("%v contains %s: %v; %s matches it: %v", r, value, got, r.Selector(), want)
		}
	}
}

// parsed returns the selector as the API server reads it.
func parsed(selector string) sharding.Selector {
	args := strings.Split(strings.Trim(strings.TrimPrefix(selector, "shardRange"), "()"), ", ")
	return sharding.NewSelector(sharding.ShardRangeRequirement{
		Key: args[0], Start: strings.Trim(args[1], "'"), End: strings.Trim(args[2], "'"),
	})
}
