// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path"

	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/probe"
)

// config is one row of the table: a client and how it is set up.
type config struct {
	name    string
	program string
	env     []string
	job     probe.Job
	relist  bool // is also measured when it relists
	follow  bool // is also measured when it follows a watch, and with many informers
}

const (
	peerWatchList = "client-go WatchList"
	peerList      = "client-go LIST"
	oursWatchList = "indexer-gen WatchList"
	oursList      = "indexer-gen LIST"
	skipped       = ", no managedFields"
	slim          = ", slim"
	factory       = "factory of client-go"
	switched      = "the same with our informer"
)

// forceList makes client-go's reflector list.
var forceList = []string{"KUBE_FEATURE_WatchListClient=false"}

func ours(name string, job probe.Job) config {
	return config{name: name, program: "indexergen", job: job}
}

// choose returns the configs whose names match a glob. An empty glob matches all.
func choose(all []config, glob string) (chosen []config, err error) {
	var names []string
	for _, c := range all {
		match, err := path.Match(glob, c.name)
		if err != nil {
			return nil, fmt.Errorf("-only=%q: %w", glob, err)
		}
		if match || glob == "" {
			chosen = append(chosen, c)
		}
		names = append(names, c.name)
	}
	if len(chosen) == 0 {
		return nil, fmt.Errorf("-only=%q matches no client; they are %q", glob, names)
	}
	return chosen, nil
}

// widgetConfigs returns the configs for widgets: those for Pods, and relists of some.
func widgetConfigs() []config {
	all := podConfigs()
	for i := range all {
		switch all[i].name {
		case peerWatchList, peerList, oursWatchList, oursList:
			all[i].relist = true
		}
	}
	return all
}

// podConfigs returns the configs for Pods, without relists.
func podConfigs() []config {
	all := []config{
		{name: peerWatchList, program: "clientgo"},
		{name: peerList, program: "clientgo", env: forceList, job: probe.Job{List: true}},
		ours(oursWatchList, probe.Job{}),
		ours(oursList, probe.Job{List: true}),
		ours(oursWatchList+skipped, probe.Job{SkipManaged: true}),
		ours(oursList+skipped, probe.Job{SkipManaged: true, List: true}),
		ours(oursWatchList+slim, probe.Job{Slim: true}),
		ours(oursList+slim, probe.Job{Slim: true, List: true}),
	}
	for i := range all {
		switch all[i].name {
		case peerWatchList, oursWatchList, oursWatchList + skipped:
			all[i].follow = true
		}
	}
	return all
}

// factoryConfigs returns the same program without and with our informer.
func factoryConfigs() []config {
	return []config{
		{name: factory, program: "factory"},
		{name: switched, program: "factory", job: probe.Job{Switched: true}},
	}
}
