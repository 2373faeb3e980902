// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package shard has a replica of a controller hold a part of the objects only, so that
// a controller can outgrow one machine while the API server and etcd stay what they are.
//
//	mine, err := shard.Of(3, 10)
//	shards := shard.NewSet(mine)
//	informers := v1.NewInformers(v1.HTTPSources(conn, ""), informer.WithShards(shards))
//
// # Who filters
//
// A [Range] is a stretch of the hashes of what objects are divided by, their UIDs or
// their namespaces, as KEP-5866 has it. It is sent along with every list and watch, in
// ListOptions.ShardSelector. A server with the feature gate ShardedListAndWatch (alpha in
// Kubernetes 1.36) sends nothing else; any other ignores it. Not all answers say which it
// was, so that what does not belong to the range is left out here in any case, which for
// a server that filters costs a hash for each event. A
// server that does not filter sends everything to every replica: that saves memory and
// work in the replica, but no traffic.
//
// Shards need k8s.io/apimachinery v0.36.0, which has the fields. Lists and watches of a
// shard fail if the program is built with an older one.
//
// The version that an event carries counts whether or not its object belongs to the
// range: WaitFor of an informer returns in each replica when that has seen what was
// written, also if the object is another's. From a server that filters, it hears of that
// by the next bookmark, which may take a minute.
//
// # Changing the number of shards
//
// [Set.Set] changes, while informers run, what a replica holds. What is new is read
// beside the old until it has synced; only then the old is let go. An object in both is
// not told to handlers; one in neither is told as a deletion whose tombstone says Left,
// for it exists still. So a replica misses nothing. That all replicas together miss
// nothing takes two steps: first every replica holds its old and its new range
// (shards.Set(ctx, old, next)), and when all do, each lets go of the old one
// (shards.Set(ctx, next)). In between, an object may be held by two replicas.
//
// If the context of Set ends first, Set fails, and the informer goes on by itself: it reads the
// new range, with retries, and lets the old one go once the new one has synced.
//
// A range that stays in the set is not read again, but one with other bounds is, as a
// whole. Where that matters, divide by more shards than there are replicas, several to
// each, and move whole shards: then a replica that comes reads what it takes, and nobody
// else reads anything. Each shard is a watch of its own.
//
// Who holds which shard is for the program to say: from the ordinal of a StatefulSet, or
// by leases.
package shard
