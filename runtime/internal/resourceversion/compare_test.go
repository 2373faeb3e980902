// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package resourceversion

import "testing"

func TestCompare(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"1", "1", 0},
		{"1", "2", -1},
		{"9", "10", -1},
		{"10", "9", 1},
		{"18446744073709551616", "18446744073709551615", 1}, // beyond uint64
		{"100000000000000000000000000000", "99999999999999999999999999999", 1},
	} {
		if got, err := Compare(test.a, test.b); got != test.want || err != nil {
			t.Errorf("Compare(%q, %q) = %d, %v; want %d", test.a, test.b, got, err, test.want)
		}
	}
	for _, wrong := range []string{"", "0", "01", "-1", "+1", "1.5", "1a", " 1", "\u0661"} {
		for _, pair := range [][2]string{{wrong, "1"}, {"1", wrong}} {
			if got, err := Compare(pair[0], pair[1]); err == nil {
				t.Errorf("Compare(%q, %q) = %d; want an error", pair[0], pair[1], got)
			}
		}
	}
}
