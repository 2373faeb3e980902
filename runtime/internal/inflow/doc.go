// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package inflow lets a source report input to a reflector that is not an object.
//
// A reflector must distinguish a slow list from a stalled one. Package shard leaves out the objects of
// other shards if the server does not filter, and package wire reads a large object in many pieces.
// Both report that to an Observer in the context of List and Watch. The observer is in a context, and
// not in an interface, because other sources may stand between the two.
package inflow
