// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command clusters holds the informers of several clusters and queries them as one.
//
//	go run ./examples/clusters			two clusters in this process
//	go run ./examples/clusters KUBECONFIG...	the clusters of these files
//
// Each cluster has its own stores: objects of different clusters may have the same name, and a resourceVersion
// belongs to one cluster. A cluster without the type counts as one without objects.
package main
