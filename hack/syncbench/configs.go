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
	follow  bool // is also measured when it follows a watch
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

// oursProgram is the program with our informer.
const oursProgram = "indexergen"

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

// widgetConfigs returns the configs for widgets: those for Pods, and relists of those that read all fields.
func widgetConfigs() []config {
	all := podConfigs()
	for i, c := range all {
		all[i].relist = !c.job.SkipManaged && !c.job.Slim
	}
	return all
}

// podConfigs returns the configs for Pods, without relists.
func podConfigs() []config {
	return []config{
		{name: peerWatchList, program: "clientgo", follow: true},
		{name: peerList, program: "clientgo", env: forceList, job: probe.Job{List: true}},
		{name: oursWatchList, program: oursProgram, follow: true},
		{name: oursList, program: oursProgram, job: probe.Job{List: true}},
		{name: oursWatchList + skipped, program: oursProgram, job: probe.Job{SkipManaged: true}, follow: true},
		{name: oursList + skipped, program: oursProgram, job: probe.Job{SkipManaged: true, List: true}},
		{name: oursWatchList + slim, program: oursProgram, job: probe.Job{Slim: true}},
		{name: oursList + slim, program: oursProgram, job: probe.Job{Slim: true, List: true}},
	}
}

// factoryConfigs returns the same program without and with our informer.
func factoryConfigs() []config {
	return []config{
		{name: factory, program: "factory"},
		{name: switched, program: "factory", job: probe.Job{Switched: true}},
	}
}
