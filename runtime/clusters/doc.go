// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package clusters holds the informers of several clusters, which can be added and removed while
// they run, and queries them as one:
//
//	group := clusters.New[*v1.Informers]()
//	err := group.Add("east", v1.NewInformers(v1.InformerSources{Devices: v1.NewDeviceSource(east)}))
//	…
//	for cluster, device := range clusters.Ask(group, offline) { … }
//
// Each cluster has its own stores: objects of different clusters may have the same name, and a
// resourceVersion belongs to one cluster.
package clusters
