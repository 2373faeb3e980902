// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package shard divides the objects of a resource among the replicas of a controller.
//
//	mine, err := shard.Of(3, 10)
//	shards := shard.NewSet(mine)
//	devices := shard.Source(v1.NewDeviceSource(client), shards)
//	informers := v1.NewInformers(v1.InformerSources{Devices: devices})
//
// # Filtering
//
// A [Range] is a range of the hashes of the objects' UIDs, as in KEP-5866, or of their namespaces if its Field is
// [Namespace]. Each list
// and watch sends it in ListOptions.ShardSelector. A server with the feature gate
// ShardedListAndWatch (alpha in Kubernetes 1.36) sends only the objects of the range. Other servers
// ignore the selector and send everything. This package filters in both cases, since not every
// answer says which case it is. Without a server that filters, sharding saves memory and work in
// each replica, but no traffic.
//
// Shards need k8s.io/apimachinery v0.36.0 or newer. With an older version, lists and watches of a
// shard return an error.
//
// Events of other ranges advance the resourceVersion, too. WaitFor of an informer therefore returns
// in each replica, whichever range the object belongs to. If the server filters, the version
// advances with the next bookmark, which may take a minute.
//
// # Changing the shards
//
// [Set.Replace] changes the ranges of a replica while its informers run. The informer reads the new
// ranges beside the old ones. It removes the old ranges when the new ones have synced. Handlers are
// not notified of an object in both. An object in neither is a deletion whose tombstone has
// SourceRemoved set. If the context of Set ends first, Set returns an error, and the informer continues
// by itself.
//
// To let all replicas together miss nothing, change in two steps. First each replica holds its old
// and its new range: shards.Replace(ctx, old, next). When all do, each removes the old one:
// shards.Replace(ctx, next). Two replicas may hold an object in between.
//
// A range that stays in the set is not listed again. A range with other bounds is listed as a
// whole. To avoid that, use more ranges than replicas and move whole ranges. Each range is a watch
// of its own.
//
// The program decides which replica holds which range, for example by the ordinal of a StatefulSet
// or by leases.
package shard
