// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Recovery measures how soon caches are right again after their API server was away.
//
//	go run ./recovery -rounds 40
//
// It starts a real API server (package apiserver). Each round starts three informers: ours
// over package wire, ours over client-go's typed client, and client-go's own over the same
// kind of client. When all have synced, the server goes away. It restarts, is down for
// three to four seconds (requests are answered with 503), or is cut off for as long
// (connections are reset). A round measures the time from the server's return until a cache
// holds an object that was created after it.
//
// Every round has new informers, because client-go's reflector remembers for two minutes
// how long it waited last.
//
// The command prints the median, the least and the longest time of each informer, and
// whether the goals hold. Ours must not have a longer median than client-go's. No round
// of ours may take longer than two seconds or one and a half times client-go's longest
// round, whichever is more. The exit code is 1 if a goal is missed. The goals do not apply
// while the server is cut off: client-go's clients then retry every second by themselves,
// for both informers alike.
package main
