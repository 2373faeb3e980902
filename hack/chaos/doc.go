// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command chaos attacks informers on a real API server, and checks that they end
// up right.
//
//	cd hack
//	go run ./chaos -faults 1000 -seed 1
//
// It starts the server of examples/apiserver, writers, and an informer for each
// kind of source: package wire with WatchList and without, with gzip, with pages,
// over some namespaces, over shards, of metadata, of unstructured objects, and
// client-go's typed and dynamic clients in their defaults. Each informer has a
// lossless handler and a coalescing one. The writers create, update, delete and
// recreate objects in several namespaces, move them between index values, and
// use finalizers.
//
// # Faults
//
// Faults come in rounds. In most rounds four groups of informers suffer from a
// fault of their own at once, for 0.1 to 0.9 seconds:
//
//	cut             connections are closed
//	half-close      the server's half of a connection is closed in a response
//	stall           nothing is delivered
//	trickle         100 bytes are delivered every 10 ms
//	truncated gzip  a compressed response ends early, as if it were complete
//	401, 429, 500   the server refuses, 429 with Retry-After
//	HTML            a web page with status 200
//	redirect        to another host, which returns an empty list
//
// In the others all suffer from one fault of the server: stop and start,
// compaction of etcd and a restart, or a restore of etcd from a backup. Each
// fault counts once in -faults. The seed determines the faults and the writes; it does not determine
// their timing.
//
// # Checks
//
// The writers write during a fault and 0.2 or 1.5 seconds beyond. Then they
// pause, and each informer must come to the state of the server's own list. The
// time from the end of the fault until then is its recovery, so recoveries
// include the time for which the writers went on. Then these are compared with
// the list:
//
//   - every object in the store, in all its content;
//   - every index, value by value;
//   - the store's resourceVersion, which must be neither behind the objects nor
//     ahead of the server;
//   - what each handler knows, after replaying its calls. A call that contradicts
//     the calls before it is a difference: an add of a known object, an update or
//     delete of an unknown one, another old state than the last, another UID
//     without a delete, an update that changes nothing.
//
// An informer with a difference is replaced by a new one. These are problems,
// too: a recovery that takes longer than the longest wait of a reflector and half
// a minute, a request of package wire to the host of a redirect, more than 50
// requests of an informer in a second, and, in the end, more goroutines or more
// heap than at first.
//
// # Outages
//
//	go run ./chaos -outages 40
//
// measures how soon caches are right again after their API server was away, beside client-go's informer. The server
// restarts, is down for three to four seconds (requests are answered with 503), or is cut off for as long (connections
// are reset). Each round has new informers, because client-go's reflector remembers for two minutes how long it waited
// last. A round measures the time from the server's return until a cache holds an object that was created after it.
//
// The command prints the median, the least and the longest time of each informer. Ours must not have a longer median
// than client-go's. No round of ours may take longer than two seconds or one and a half times client-go's longest
// round, whichever is more. The exit code is 1 if a goal is missed. The goals do not apply while the server is cut off:
// client-go's clients then retry every second by themselves, for all informers alike.
//
// # Output
//
// The command prints each problem, a line every 15 seconds, and in the end a
// table by kind of fault, one of the slowest recoveries by fault and kind of
// source, and the totals. With -v it also prints each round and each error of an
// informer. It exits with status 1 if there was a problem.
package main
