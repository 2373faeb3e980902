// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package canonical_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/runtime/canonical"
)

func TestTime(t *testing.T) {
	east := time.FixedZone("east", 3600)
	at := time.Date(2026, 5, 4, 3, 2, 1, 7, time.UTC)
	now := time.Now()
	for _, same := range [][2]time.Time{
		{at, at.In(east)}, {now, now.Round(0)}, {now, metav1.NewTime(now).Time}, {at, canonical.TimeOf(at).Time()},
		{time.Time{}, time.Time{}.In(east)}, {canonical.Time{}.Time(), time.Unix(0, 0)},
	} {
		if a, b := canonical.TimeOf(same[0]), canonical.TimeOf(same[1]); a != b || a.Compare(b) != 0 {
			t.Errorf("%v and %v are %v and %v", same[0], same[1], a, b)
		}
	}
	ordered := []time.Time{
		{}, time.Date(1, 1, 1, 0, 0, 0, 1, time.UTC), time.Unix(-1, 999), time.Unix(0, 0), time.Unix(0, 1), at.In(east),
		at.Add(1), time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC),
	}
	for i, a := range ordered {
		for j, b := range ordered {
			if got, want := canonical.TimeOf(a).Compare(canonical.TimeOf(b)), a.Compare(b); got != want {
				t.Errorf("Compare(%v, %v) = %d, want %d (%d, %d)", a, b, got, want, i, j)
			}
		}
	}
	if got := canonical.TimeOf(at.In(east)).String(); got != "2026-05-04T03:02:01.000000007Z" {
		t.Errorf("String() = %s", got)
	}
}

// quantities has several notations of equal numbers, and numbers of more than 64 bits.
func quantities() []resource.Quantity {
	var out []resource.Quantity
	for _, text := range []string{
		"0", "0m", "-0", "1", "1000m", "1.0", "1e0", "-1", "-1000m", "1500m", "1.5", "1k", "1000", "1Ki", "1024", "1e3", "100u", "1n", "0.000000001",
		"0.3", "300m", "2", "10", "9223372036854775807", "9223372036854775807m", "-9223372036854775807", "8E", "1E", "7Ei", "999999999999999999E", "0.1n",
	} {
		out = append(out, resource.MustParse(text))
	}
	for _, n := range []int64{math.MaxInt64, math.MinInt64, 1, -1, 10} {
		for _, scale := range []resource.Scale{-30, -9, -3, 0, 1, 9, 18, 40} {
			q := resource.NewScaledQuantity(n, scale)
			out = append(out, *q)
			q = q.ToDec()
			out = append(out, *q)
			sum := q.DeepCopy()
			sum.Add(*resource.NewScaledQuantity(1, -9))
			out = append(out, sum)
			sum = q.DeepCopy()
			sum.Add(*resource.NewScaledQuantity(math.MaxInt64, scale))
			out = append(out, sum)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		q := resource.NewScaledQuantity(
			random.Int64()>>random.IntN(64)*(1-2*random.Int64N(2)),
			resource.Scale(random.IntN(40)-20),
		)
		if random.IntN(2) == 0 {
			q.AsDec().SetUnscaledBig(new(big.Int).Lsh(big.NewInt(random.Int64()), uint(random.IntN(80))))
		}
		out = append(out, *q)
	}
	return out
}

// Keys compare like Quantity.Cmp for every pair, do not change the Quantity, and convert back to
// an equal one.
func TestQuantity(t *testing.T) {
	all := quantities()
	keys := make([]canonical.Quantity, len(all))
	for i, q := range all {
		before := q.DeepCopy()
		keys[i] = canonical.QuantityOf(q)
		if back := keys[i].Quantity(); back.Cmp(q) != 0 || q.Cmp(before) != 0 {
			t.Errorf("%s came back as %s", &before, &back)
		}
	}
	for i, a := range all {
		for j, b := range all {
			want := a.Cmp(b)
			if got := keys[i].Compare(keys[j]); got != want {
				t.Errorf("Compare(%s, %s) = %d, want %d", &a, &b, got, want)
			}
			if (keys[i] == keys[j]) != (want == 0) {
				t.Errorf("%s == %s is %v", &a, &b, keys[i] == keys[j])
			}
		}
	}
	if got := canonical.QuantityOf(resource.MustParse("1500m")).String(); got != "1500m" {
		t.Errorf("String() = %s", got)
	}
}

func TestNoAllocations(t *testing.T) {
	whole, fraction := resource.MustParse("64Gi"), resource.MustParse("250m")
	a, b := canonical.QuantityOf(whole), canonical.QuantityOf(fraction)
	if n := testing.AllocsPerRun(100, func() {
		if canonical.QuantityOf(whole) != a || canonical.QuantityOf(fraction) != b || a.Compare(b) != 1 {
			t.Error("not what it was")
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
