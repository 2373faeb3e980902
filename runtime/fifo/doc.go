// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fifo has two queues that return one object at a time, for loops of your own. Informers use
// queue.InOrder.
//
//	DeltaFIFO  one object at a time, with all its deltas since the last time
//	FIFO       one object at a time, with its newest state only
//
// A [DeltaFIFO] is the classic queue of client-go, for loops that want intermediate states but not the
// order of the source. It compares a complete list with the known objects when the list is written, and
// takes deltas that are being processed into account. Writes never wait.
//
// Pop, errors and closing work as in package queue.
package fifo
