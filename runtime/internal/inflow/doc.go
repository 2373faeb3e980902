// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package inflow is how a source reports to a reflector what arrives but is not handed on.
//
// A reflector must tell a list that is well under way from one that stalls. Two things arrive
// without an object for it. Package shard leaves out the objects of other shards if the server
// does not filter. Package wire reads a large object in many pieces. Both report that to an
// Observer in the context of List and Watch. It is a context, and not an interface, because
// any number of sources may stand between the two, and none of them needs to know.
package inflow
