// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package source_test

import (
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
)

type marked struct {
	client
	unsupported bool
}

func (m *marked) IsWatchListSemanticsUnSupported() bool { return m.unsupported }

type recorder struct{ client }

func (*recorder) ClearActions() {}

// Fake clients of client-gen do not complete WatchLists.
func TestFakesAreRecognized(t *testing.T) {
	for name, test := range map[string]struct {
		src         source.Source[*object]
		noWatchList bool
	}{
		"a client":               {from(&client{}), false},
		"marked":                 {source.FromClient(&marked{unsupported: true}, items), true},
		"marked as able":         {source.FromClient(&marked{}, items), false},
		"a fake of one resource": {source.FromClient(&recorder{}, items), true},
	} {
		if test.src.NoWatchList != test.noWatchList {
			t.Errorf("%s: NoWatchList is %v", name, test.src.NoWatchList)
		}
	}
}
