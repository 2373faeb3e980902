// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package canonical has index keys for types whose values cannot be compared with ==.
//
//	pods.ByStartedFrom(time.Now().Add(-time.Hour))
//	pods.ByNodeStarted("node-7", started)
//	pods.ByNodeStartedFrom(api.PodNodeStartedKey{Node: "node-7", Started: canonical.TimeOf(since)})
//
// Go can compare metav1.Time and resource.Quantity with ==, but the result is wrong. For
// times it also compares time zones and clock readings; this is true of metav1.MicroTime
// and time.Time as well. For quantities it distinguishes "1" and "1000m". Each key has
// exactly one value for each instant or number:
//
//	[Time]      an instant, ordered in time
//	[Quantity]  an exact number of any size, ordered by size
//
// Generated code makes the keys. A query for one value takes a time.Time or a
// resource.Quantity. The key struct of several values contains the key itself; make it with
// [TimeOf] or [QuantityOf].
//
// # Zero values
//
// Kubernetes encodes the zero metav1.Time as null: the time is not set. Generated code does
// not index it, as it does not index nil pointers. The zero Quantity is the number 0 and is
// indexed.
package canonical
