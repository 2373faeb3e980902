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

func TestSupportsWatchList(t *testing.T) {
	plain := from(&client{})
	for name, test := range map[string]struct {
		src  source.ListerWatcher[*object]
		want bool
	}{
		"a client":                   {plain, true},
		"marked":                     {source.FromClient(&marked{unsupported: true}, items), false},
		"marked as able":             {source.FromClient(&marked{}, items), true},
		"a fake of one resource":     {source.FromClient(&recorder{}, items), false},
		"a source that says nothing": {struct{ source.ListerWatcher[*object] }{source.FromClient(&recorder{}, items)}, true},
	} {
		if got := source.SupportsWatchList(test.src); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
