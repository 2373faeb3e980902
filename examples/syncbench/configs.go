// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/indexer-gen/indexer-gen/examples/syncbench/internal/probe"

// config is one row of the table: a client and how it is set up.
type config struct {
	name    string
	program string
	env     []string
	job     probe.Job
	relist  bool // is also measured when it relists
	follow  bool // is also measured when it follows a watch
}

const (
	peerWatchList = "client-go WatchList"
	peerList      = "client-go LIST"
	oursWatchList = "indexer-gen WatchList"
	oursList      = "indexer-gen LIST"
	skipped       = ", no managedFields"
	shared        = ", shared maps"
	slim          = ", slim"
)

// configs are all of them, those that are compared next to each other.
func configs() []config {
	ours := func(name string, job probe.Job) config {
		return config{name: name, program: "indexergen", job: job}
	}
	all := []config{
		{name: peerWatchList, program: "clientgo", relist: true, follow: true},
		{
			name:    peerList,
			program: "clientgo",
			env:     []string{"KUBE_FEATURE_WatchListClient=false"},
			job:     probe.Job{List: true},
			relist:  true,
		},
		ours(oursWatchList, probe.Job{}),
		ours(oursList, probe.Job{List: true}),
		ours(oursWatchList+skipped, probe.Job{SkipManaged: true}),
		ours(oursList+skipped, probe.Job{SkipManaged: true, List: true}),
		ours(oursWatchList+skipped+shared, probe.Job{SkipManaged: true, ShareMaps: true}),
		ours(oursWatchList+slim, probe.Job{Slim: true}),
		ours(oursList+slim, probe.Job{Slim: true, List: true}),
	}
	for i := range all {
		switch all[i].name {
		case oursWatchList:
			all[i].relist, all[i].follow = true, true
		case oursList:
			all[i].relist = true
		case oursWatchList + skipped:
			all[i].follow = true
		}
	}
	return all
}
