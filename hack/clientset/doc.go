// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package clientset holds the tests of the runtime against client-go: that its
// generated clients and their fakes fit source.FromClient by shape, that its
// http.Client serves package wire, and that both read the same objects.
//
// It is not in the runtime module, because that module knows nothing of
// client-go.
package clientset
