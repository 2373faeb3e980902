// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package canonical has keys for values that == does not compare rightly.
//
// An index keeps values that are equal under ==, and Go calls two common types
// comparable that are not so: metav1.Time (and with it MicroTime and time.Time),
// where == compares time zones and clock readings too, and resource.Quantity,
// where it tells "1" and "1000m" apart. Of each there is one key for all the ways
// of writing a value:
//
//	[Time]      an instant; ordered in time
//	[Quantity]  a number, exact whatever its size; ordered by size
//
// Emitted code makes these keys. A query of one value takes the value itself, a
// time.Time or a resource.Quantity; in the key struct of several values the key
// stands, and is made by [TimeOf] or [QuantityOf]:
//
//	pods.ByStartedFrom(time.Now().Add(-time.Hour))
//	pods.ByNodeStarted("node-7", started)
//	pods.ByNodeStartedFrom(api.PodNodeStartedKey{Node: "node-7", Started: canonical.TimeOf(since)})
//
// # What is not set
//
// The zero Time is how Kubernetes says that there is none: it is encoded as null,
// and null is decoded as it. Emitted code does not index it, as it does not index
// what lies behind a nil pointer. The zero Quantity is the number 0, and is
// indexed as that.
package canonical
