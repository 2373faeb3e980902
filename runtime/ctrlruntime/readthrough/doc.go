// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package readthrough reads objects through a cache that holds only those that were read.
//
// A program whose users may refer to any Secret watches all Secrets and reads a few. An informer of whole
// Secrets holds them all. A [Cache] watches their metadata, and requests a Secret when it is read:
//
//	gvr := corev1.SchemeGroupVersion.WithResource("secrets")
//	watch := informer.New(gvr, wire.Source[*readthrough.Metadata](conn, gvr, readthrough.Keep()),
//		store.ForObjects[*readthrough.Metadata]())
//	secrets := readthrough.New(watch, func(namespace string) source.Source[*corev1.Secret] {
//		return wire.Source[*corev1.Secret](conn, gvr, wire.InNamespace(namespace))
//	}, 0)
//	go watch.Run(ctx)
//	…
//	secret, err := secrets.Get(ctx, key)
//
// For a manager of controller-runtime this is one option, HoldRead of package ctrlread. docs/readthrough.md says
// when to use it.
//
// # Held objects
//
// The informer holds [Metadata] of every object: key, UID, resourceVersion, generation, finalizers, owners and
// deletion timestamp. [Keep] adds labels or annotations. An informer of another type, such as a slim one with
// indexes, works as well.
//
// The cache holds the bodies that Get returned. A body is the whole object. It leaves when its object changes or is
// deleted, and the least recently read bodies leave when all together exceed the limit. A changed body is requested
// again when it is read again, and not before.
//
// To have a body requested as soon as it changes, call Get from a handler with [informer.WithCoalescing], and only
// for keys that you use. Without coalescing, Get may wait for a watch that the full buffer of its own handler stops.
// Or reconcile when the metadata change: with package trigger, or in a manager with WatchesMetadata.
//
// # What Get promises
//
//   - The object is not older than any event for which a handler of the informer was called before Get. It is
//     whole, and it has the UID that the informer has.
//   - NotFound means that the informer has no such object, which is known without a request.
//   - While nothing changes, a body that is held costs no request. Callers who read one object at a time share a
//     request. It goes on until the last of them has left, and ends with an error after a minute.
//   - An error of the server is the caller's: 403, 429 and 5xx. Nothing is retried here, except once after a 504,
//     and nothing stale is returned instead.
//
// Two Gets of one object may return states in reverse order if both are newer than the informer's: after the limit
// has removed the first one in between, or if they read from two Caches of one informer.
//
// # How it works
//
// A body is current if it has the UID of the metadata, and the resourceVersion of the metadata or a later one.
// Get compares them each time, so handlers have no part in what is promised. They only free memory.
//
// A request is a list with the name as field selector. It needs no permission that the watch does not need, and
// API servers execute it like a get. An empty list is the state of a version, while status 404 may also be a
// missing resource. The request has the resourceVersion of the metadata and resourceVersionMatch=NotOlderThan,
// so the server answers from memory. A server that lags behind answers 504. Then one more request without a
// version reads the latest state. An overloaded server may answer 504, too, and gets the same second request.
//
// The answer may be ahead of the watch: the object is gone, or another object has its name. Get then waits until
// the watch has delivered that, so its answers always agree with the events. If the watch does not deliver in
// 10 seconds, Get returns an error with the last error of the informer.
//
// After a restore of etcd, equal versions may be different states. So a body belongs to an epoch of the store,
// and is requested again after the informer has noticed the restore.
package readthrough
