// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command quickstart shows what indexer-gen is for. Generated informers watch a fleet
// of a few hundred devices, and typed queries answer before and after part of the fleet
// has changed. It ends by itself, but with -page.
//
//	go run ./examples/quickstart			in this process
//	go run ./examples/quickstart -page		with a page about the informers
//	go run ./examples/quickstart -apiserver		on a real Kubernetes API server
//
// The API is in api/v1alpha1: types with +index markers, and beside them the
// code that indexer-gen makes of these. The custom resource definitions in
// config/crd are controller-gen's.
package main
