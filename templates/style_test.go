// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import "testing"

func TestArticle(t *testing.T) {
	for name, want := range map[string]string{
		"Device": "a Device", "Order": "an Order", "APIService": "an APIService", "IPAddress": "an IPAddress",
		"HTTPRoute": "an HTTPRoute", "TLSRoute": "a TLSRoute", "User": "a User", "Upgrade": "an Upgrade", "Host": "a Host",
		"Node": "a Node", "X": "a X",
	} {
		if got := withArticle(name); got != want {
			t.Errorf("article(%q) = %q, want %q", name, got, want)
		}
	}
}
