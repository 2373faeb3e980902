// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package inflow lets a source report objects that it leaves out to the reflector.
//
// A reflector cancels a list that brings no object for too long. Package shard leaves out the objects of
// other shards if the server does not filter, and they count as progress. The observer is in the context
// of List and Watch, and not in an interface, because other sources may stand between the two.
package inflow
