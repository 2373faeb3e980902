// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package model

import "testing"

func TestPick(t *testing.T) {
	s := localScope{"store": true}
	for _, test := range []struct {
		wanted []string
		want   string
	}{
		{[]string{"site", "deviceSite"}, "site"},
		{[]string{"site", "deviceSite"}, "deviceSite"},
		{[]string{"site", "deviceSite"}, "deviceSite2"},
		{[]string{"type", "secretType"}, "secretType"}, // a keyword
		{[]string{"string", "name"}, "name"},           // shadows what Go has
		{[]string{"store"}, "store2"},
		{[]string{"type"}, "type2"},
		{[]string{"i"}, "i"},
		{[]string{"i"}, "i2"},
		{[]string{"i"}, "i3"},
		{[]string{""}, "value"},
		{[]string{"9", "a b"}, "value2"},
		{nil, "value3"},
	} {
		if got := s.pickName(test.wanted...); got != test.want {
			t.Errorf("pick(%q) = %s, want %s", test.wanted, got, test.want)
		}
	}
}
