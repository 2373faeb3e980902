// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package diag

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"nodeName", "phase", "name"}
	for got, want := range map[string]string{
		"ndeName": "nodeName", "nodename": "nodeName", "NodeName": "nodeName", "phaes": "phase", "naem": "name",
		"something": "", "": "", "x": "",
	} {
		if n := Nearest(got, names); n != want {
			t.Errorf("Nearest(%q) = %q, want %q", got, n, want)
		}
	}
}
