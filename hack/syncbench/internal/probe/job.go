// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package probe is what a client under measurement and the program that
// measures it have in common: jobs, results, and how a client gets from one to the other.
package probe

import "time"

// Job is one client's task.
type Job struct {
	// URL, Token and CA say how to reach the API server. CA is empty for plain HTTP.
	URL, Token string
	CA         []byte
	// List has the client list and then watch; otherwise it does a WatchList.
	List bool
	// Compress says whether to ask for gzip.
	Compress bool
	// Objects is how many there must be once the client has synced.
	Objects int
	// Relist makes a synced client wait for the name of an object, and
	// measure until it has that object; see Result.Relist.
	Relist bool
	// Follow names an object whose arrival ends a measurement of the watch, as
	// namespace/name; see Result.Watch.
	Follow string
	// Profile begins the names of files for CPU profiles; "" is none.
	Profile string
	// What follows is for indexer-gen alone: leave managedFields out, decode
	// into a type with few fields.
	SkipManaged, Slim bool
	// Switched gives the factory of client-go an informer of indexer-gen.
	Switched bool
}

// Result is what a client found.
type Result struct {
	Sync     Usage
	LiveHeap uint64 // after a collection, once synced
	// Steady is the resident memory before Relist, when memory that the
	// collector has freed was returned.
	Steady uint64
	Relist Usage
	Lists  int // how many lists and WatchLists were requested in all
	Watch  Usage
	// Server is the processor time of the API server, which only the caller knows.
	Server time.Duration
	// Figures are those of a Measurer.
	Figures map[string]float64
}

// Usage is what something took.
type Usage struct {
	Wall, CPU time.Duration
	// Peak is the highest resident memory so far, or since the measurement began.
	Peak uint64
}
