// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command mirror keeps a directory equal to the Devices of the kubeconfig's cluster, one JSON file for each. It holds
// no object in memory: the directory is what the queue compares lists with, so files of Devices that were deleted while
// it did not run are removed at the next start.
//
//	go run ./examples/mirror DIRECTORY
package main
