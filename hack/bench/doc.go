// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command bench runs the store and the informer of indexer-gen and client-go's side by
// side, in one process and run, on the work of a controller, and prints how they compare.
//
//	hack/bench.sh                  100,000 Pods, a table
//	hack/bench.sh -n 1000          another size
//	hack/bench.sh -run 'selector'  only the rows whose name matches
//	hack/bench.sh -svg f           also as a plot
//
// # What is measured
//
// Pods in namespaces of 100, on nodes of 50, of owners of 10 and of apps of 200
// on average, drawn at random: four indexes on either side. Each Pod exists in two generations that share no pointer
// and no string, so that a write always brings a new object. Keys and values of
// reads are drawn at random, from strings of their own; each hit is
// dereferenced, on both sides. Writes bring objects in the order in which they
// were made, as a decoder hands them on; what they replace lies anywhere in
// memory. The store is filled object by object in random
// order, and a tenth of it is deleted and added again, before its bytes are
// counted.
//
// Rows of informers (-run pipeline) go from a list or a watch in memory to the calls of
// handlers; of each there is the time of day and that of the processor.
//
// Each row is timed in rounds, ours and theirs in turn, with a collection
// before each. The time is that of the processor, collections within a round
// included; where several goroutines are at work it is the time of day. What is
// reported is the best round of either side, and the ratio of these: on a machine
// that others use too, what disturbs a round only ever adds to it.
package main
