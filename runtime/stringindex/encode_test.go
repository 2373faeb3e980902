// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package stringindex_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/canonical"
	"github.com/indexer-gen/indexer-gen/runtime/stringindex"
)

type phase string

type pair struct {
	Site  phase
	Level int8
}

type nested struct {
	Pair pair
	At   canonical.Time
	Size canonical.Quantity
	own  uint16
	On   [2]bool
}

func want[V comparable](t *testing.T, value V, want string) {
	t.Helper()
	if got := stringindex.Encode(value); got != want {
		t.Errorf("Encode(%#v) = %q, want %q", value, got, want)
	}
}

func TestEncode(t *testing.T) {
	at := canonical.TimeOf(time.Date(2026, 5, 4, 3, 2, 1, 7, time.UTC))
	want(t, "a/b%", "a/b%")
	want(t, phase("a/b%"), "a/b%")
	want(t, "", "")
	want(t, true, "true")
	want(t, int64(math.MinInt64), "-9223372036854775808")
	want(t, uint64(math.MaxUint64), "18446744073709551615")
	want(t, time.Second, "1000000000")
	want(t, types.NamespacedName{Namespace: "ns", Name: "a"}, "ns/a")
	want(t, types.NamespacedName{Name: "a"}, "/a")
	want(t, at, "2026-05-04T03:02:01.000000007Z")
	want(t, canonical.QuantityOf(resource.MustParse("1500m")), "15e-1")
	want(t, pair{"a/b%", -1}, "a%2Fb%25/-1")
	want(t, nested{pair{"a", 1}, at, canonical.QuantityOf(resource.MustParse("1Ki")), 7, [2]bool{true}},
		"a%2F1/2026-05-04T03:02:01.000000007Z/1024e0/7/true%2Ffalse")
}

// TestEncodeIsInjective encodes random values that are likely to collide if parts are only joined.
func TestEncodeIsInjective(t *testing.T) {
	type key struct {
		A string
		B [2]string
		C types.NamespacedName
	}
	random := rand.New(rand.NewPCG(1, 2))
	text := func() string {
		const letters = "/%25F\x00\xff"
		out := make([]byte, random.IntN(3))
		for i := range out {
			out[i] = letters[random.IntN(len(letters))]
		}
		return string(out)
	}
	seen := map[string]key{}
	for range 200_000 {
		k := key{text(), [2]string{text(), text()}, types.NamespacedName{Namespace: text(), Name: text()}}
		s := stringindex.Encode(k)
		if other, ok := seen[s]; ok && other != k {
			t.Fatalf("%q and %q are both %q", other, k, s)
		}
		seen[s] = k
	}
}

// TestEncodeQuantities compares encodings with the equality of the values.
func TestEncodeQuantities(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	seen := map[string]canonical.Quantity{}
	for range 10_000 {
		n := random.Int64() >> random.IntN(64) * (1 - 2*random.Int64N(2))
		q := resource.NewScaledQuantity(n, resource.Scale(random.IntN(50)-25))
		q.Add(*resource.NewScaledQuantity(random.Int64(), resource.Scale(random.IntN(20))))
		k := canonical.QuantityOf(*q)
		s := stringindex.Encode(k)
		if other, ok := seen[s]; ok && other != k {
			t.Fatalf("%v and %v are both %q", other, k, s)
		}
		if k2 := canonical.QuantityOf(k.Quantity()); stringindex.Encode(k2) != s {
			t.Fatalf("%v is %q and %q", k, s, stringindex.Encode(k2))
		}
		seen[s] = k
	}
}
