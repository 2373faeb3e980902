// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/indexer-gen/indexer-gen/hack/syncbench/internal/probe"

// goalObjects is how many objects the goals are for.
const goalObjects = 50_000

// goal is a ratio that is to be reached.
type goal struct {
	what, ours, peer string
	of               func(probe.Result) float64
	results          func(*figures) []probe.Result
	most             float64
	mean             bool // compares means instead of medians
}

func syncs(f *figures) []probe.Result   { return f.syncs }
func relists(f *figures) []probe.Result { return f.relists }
func watches(f *figures) []probe.Result { return f.watches }

func widgetGoals() []goal {
	return []goal{
		{"sync CPU, default mode of both", oursWatchList, peerWatchList, syncCPU, syncs, 1. / 3, false},
		{"sync CPU, LIST of both", oursList, peerList, syncCPU, syncs, 3. / 4, false},
		{"sync CPU, LIST of both, no managedFields", oursList + skipped, peerList, syncCPU, syncs, 1. / 2, false},
		{"peak memory", oursWatchList, peerWatchList, syncPeak, syncs, 3. / 4, false},
		{"peak memory", oursList, peerList, syncPeak, syncs, 1. / 2, false},
		{"peak memory, no managedFields", oursWatchList + skipped, peerWatchList, syncPeak, syncs, 1. / 2, false},
		{"peak memory, no managedFields", oursList + skipped, peerList, syncPeak, syncs, 1. / 3, false},
		{"peak memory, slim", oursWatchList + slim, peerWatchList, syncPeak, syncs, 1. / 4, false},
		{"peak memory, slim", oursList + slim, peerList, syncPeak, syncs, 1. / 6, false},
		{"peak of a relist over steady", oursWatchList, peerWatchList, relistPeak, relists, 1. / 4, false},
		{"peak of a relist over steady", oursList, peerList, relistPeak, relists, 1. / 4, false},
		{"live heap per object", oursWatchList, peerWatchList, live, syncs, 2. / 3, false},
		{"live heap, no managedFields", oursWatchList + skipped, peerWatchList, live, syncs, 1. / 2, false},
		{"live heap, slim", oursWatchList + slim, peerWatchList, live, syncs, 1. / 5, false},
		{"watch CPU", oursWatchList, peerWatchList, watchCPU, watches, 1. / 2, false},
	}
}

func podGoals() []goal {
	return []goal{
		{"sync CPU", oursWatchList, peerWatchList, syncCPU, syncs, 0.5, false},
		{"sync CPU", oursList, peerList, syncCPU, syncs, 0.5, false},
		{"sync time", oursWatchList, peerWatchList, syncWall, syncs, 0.8, false},
		{"sync time", oursList, peerList, syncWall, syncs, 0.8, false},
		{"API server's CPU", oursWatchList, peerWatchList, serverCPU, syncs, 1, true},
		{"API server's CPU", oursList, peerList, serverCPU, syncs, 1, true},
		{"peak memory", oursWatchList, peerWatchList, syncPeak, syncs, 0.5, false},
		{"peak memory", oursList, peerList, syncPeak, syncs, 0.5, false},
		{"live heap per object", oursWatchList, peerWatchList, live, syncs, 0.6, false},
		{"live heap, no managedFields", oursWatchList + skipped, peerWatchList, live, syncs, 0.5, false},
		{"live heap, slim", oursWatchList + slim, peerWatchList, live, syncs, 0.06, false},
		{"watch CPU", oursWatchList, peerWatchList, watchCPU, watches, 0.3, false},
	}
}

func factoryGoals() []goal {
	against := func(what, figure string, most float64) goal {
		return goal{what, switched, factory, figureOf(figure), syncs, most, false}
	}
	return []goal{
		against("watches", "watches", 1),
		against("store overhead", "overhead", 1./3),
		against("CPU from events to handlers, first list", "initial", 1./2),
		against("CPU from events to handlers, updates", "update", 1./2),
		against("the same, each update alone", "alone", 1./2),
		against("ByIndex", "byIndex", 1),
		against("typed question against ByIndex and casts", "question", 1./5),
	}
}
