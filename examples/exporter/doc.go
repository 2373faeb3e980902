// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command exporter serves the number of Pods on each node, by phase, as metrics for Prometheus. Run it as a
// StatefulSet: each replica holds its share of the Pods, and two fields of each, so that a cluster of any size fits.
//
//	go run ./examples/exporter -replicas 3 -replica 0
//
// It reads the cluster of the kubeconfig and needs the verbs list and watch on Pods.
//
// +groupName=
// +versionName=v1
package main

//go:generate go tool indexer-gen -header ../../hack/header.go.txt .
