// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package shard

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Field is the field whose hash decides to which range an object belongs.
type Field string

const (
	// UID divides objects evenly. It is the default: "" means UID.
	UID Field = "object.metadata.uid"
	// Namespace keeps all objects of a namespace in one range. Namespaces that differ only in
	// their last character, like team-1 and team-2, share a range, because the leading bits
	// of their hashes are equal. So do most that differ only in their last two.
	Namespace Field = "object.metadata.namespace"
)

// Range is one shard: the objects for which the 64-bit FNV-1a hash of Field is between First and
// Last, inclusive.
type Range struct {
	Field       Field
	First, Last uint64
}

// Of returns shard index of count shards of equal size, by UID. The first index is 0.
func Of(index, count int) (Range, error) {
	if count < 1 || index < 0 || index >= count {
		return Range{}, fmt.Errorf("there is no shard %d of %d: "+
			"the index must be at least 0 and less than the count", index, count)
	}
	r := Range{Field: UID, Last: math.MaxUint64}
	r.First, _ = bits.Div64(uint64(index), 0, uint64(count))
	if index+1 < count {
		next, _ := bits.Div64(uint64(index+1), 0, uint64(count))
		r.Last = next - 1
	}
	return r, nil
}

// Contains reports whether obj belongs to r.
func (r Range) Contains(obj metav1.Object) bool {
	value := string(obj.GetUID())
	if r.Field == Namespace {
		value = obj.GetNamespace()
	}
	h := hash(value)
	return r.First <= h && h <= r.Last
}

// hash is FNV-1a of hash/fnv, without allocation.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// String returns, for example, "uid 4000000000000000-7fffffffffffffff".
func (r Range) String() string {
	_, field, _ := strings.Cut(string(r.field()), ".metadata.")
	return fmt.Sprintf("%s %016x-%016x", field, r.First, r.Last)
}

func (r Range) field() Field {
	if r.Field == "" {
		return UID
	}
	return r.Field
}

// Selector returns the value of ListOptions.ShardSelector that selects r.
func (r Range) Selector() string {
	end := "0x10000000000000000" // 2^64; the end is exclusive
	if r.Last < math.MaxUint64 {
		end = fmt.Sprintf("0x%016x", r.Last+1)
	}
	return fmt.Sprintf("shardRange(%s, '0x%016x', '%s')", r.field(), r.First, end)
}
