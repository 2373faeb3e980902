// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"maps"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/types"
)

// TestHandles asks the handles what the methods do not ask, of the live store and of a
// snapshot.
func TestHandles(t *testing.T) {
	machines := NewMachineIndexer()
	put := func(name, app string, spec MachineSpec) {
		m := machine(name, spec)
		m.Labels = map[string]string{"app": app}
		machines.Set(m)
	}
	put("a", "web", MachineSpec{Serial: "s1", Zone: "z", Weight: 10})
	put("b", "web", MachineSpec{Serial: "s2", Zone: "z", Weight: 20})
	put("c", "db", MachineSpec{Serial: "s3", Zone: "z", Weight: 30})

	index, live, before := machines.Handles(), machines.Reader(), machines.Snapshot()
	web, heavy := index.ByLabel.Equal(
		store.Label{Key: "app", Value: "web"},
	), index.ByWeight.Within(
		store.AtLeast[int32](20),
	)
	for name, query := range map[string]struct {
		store.Query[types.NamespacedName, *Machine]
		want []string
	}{
		"all of them": {store.AllOf(web, heavy), []string{"b"}},
		"any of them": {store.AnyOf(web, heavy), []string{"a", "b", "c"}},
		"except":      {heavy.Except(web), []string{"c"}},
		"some values": {store.AllOf(index.BySerial.In("s1", "s3"), web), []string{"a"}},
	} {
		wantSet(t, name, query.Get(live), query.want...)
	}
	if got := maps.Collect(index.ByWeight.Values(live)); len(got) != 3 ||
		index.ByWeight.Count(live, 10) != 1 {
		t.Errorf("values by weight %v", got)
	}

	put("a", "db", MachineSpec{Serial: "s1", Zone: "z", Weight: 40})
	wantSet(t, "web after the update", web.Get(live), "b")
	wantSet(
		t,
		"web before it",
		before.Handles().ByLabel.Equal(store.Label{Key: "app", Value: "web"}).Get(before.Reader()),
		"a",
		"b",
	)

	// A watch of a query wakes up when its result changes.
	seen := 0
	for snapshot := range web.Watch(t.Context(), live) {
		if seen++; seen == 2 {
			wantSet(t, "watched", web.Get(snapshot), "b", "d")
			break
		}
		put("d", "web", MachineSpec{Serial: "s4", Zone: "z"})
	}
}
