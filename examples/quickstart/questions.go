// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"iter"

	"github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
)

// question is a query, as one writes it, and how many devices answer it.
type question struct {
	code string
	ask  func(v1alpha1.DeviceLister) int
}

// questions are queries about a fleet. Each takes a lister, so it works on the live cache
// and on a snapshot.
func questions(sites v1alpha1.SiteLister) []question {
	type lister = v1alpha1.DeviceLister
	return []question{
		{`devices.Len()`, func(l lister) int { return l.Len() }},
		{`devices.BySite("berlin")`, func(l lister) int { return count(l.BySite("berlin")) }},
		{
			`devices.ByPhase(v1alpha1.DeviceOffline)`,
			func(l lister) int { return count(l.ByPhase(v1alpha1.DeviceOffline)) },
		},
		{`devices.BySitePhase("berlin", v1alpha1.DeviceOffline)`, func(l lister) int {
			return count(l.BySitePhase("berlin", v1alpha1.DeviceOffline))
		}},
		{
			`devices.ByCapability(v1alpha1.Lidar)`,
			func(l lister) int { return count(l.ByCapability(v1alpha1.Lidar)) },
		},
		{`devices.ByFirmware("1.4.2")`, func(l lister) int { return count(l.ByFirmware("1.4.2")) }},
		{
			`devices.Namespace("team-a").All()`,
			func(l lister) int { return count(l.Namespace("team-a").All()) },
		},
		// A join: the devices of every site of a region, through their owner.
		{`sites.ByRegion("eu"), then devices.ByOwner(site.UID)`, func(l lister) int {
			n := 0
			for site := range sites.ByRegion("eu") {
				n += count(l.ByOwner(site.UID))
			}
			return n
		}},
	}
}

func count(devices iter.Seq[*v1alpha1.Device]) (n int) {
	for range devices {
		n++
	}
	return n
}
