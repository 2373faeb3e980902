// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package reflector copies what a source holds, and then every change, into a queue:
// list, watch, and what to do when either fails.
//
// # What it asks for
//
// What exists is read in one of two ways. If the source can, by WatchList (KEP-3157):
// a watch that begins with what exists, says so by a bookmark when that is all, and
// goes on with changes. It spares the server a large answer and both sides its memory.
// Otherwise by LIST, in pages, and a watch from the resourceVersion of the list.
//
// The first LIST asks for resourceVersion "0", whatever the server has in its cache.
// Later ones ask for nothing older than what was read last, so as not to go back in
// time when another, slower API server answers. When the server no longer has that
// version (410 Gone), does not have it yet ("too large resource version"), or does not
// understand it, they ask for "", which is what etcd has.
//
// A list that is older than what was read before can only mean that the source itself
// went back, as an etcd restored from a backup does. It is delivered with Rewound set.
//
// # What it does about failures
//
//	answer                                what follows
//	list: expired, too large, bad version list with "" at once
//	list: continue token expired          the same list without pages, at once; if pages
//	                                        come and expire again, a failure
//	list: more than MaxPages or           a failure
//	  MaxObjects, a token repeats
//	list: any other error, no progress    the same again, after a wait
//	watch: ended when it was asked to     watch on at once
//	watch: ended before, or after silence resume at once
//	watch: ended within a second          a failure: resume after a wait; the tenth
//	  and brought nothing new               time, list
//	watch: connection cut, no server      resume after a wait; nothing is missed
//	watch: 401, 502, 503, 504             the same
//	watch: 403, 429                       watch on, after a wait; nothing is missed
//	watch: 410 Gone, StoreReadError       list at once (*)
//	watch: too large or bad version       list with "" at once (*)
//	watch: anything else, garbage         resume after a wait; the third time, list
//	watch: older than what came before,   list with "" at once (*)
//	  a deletion aside
//	resume: yes                           watch on at once
//	resume: the latest is older           list with "" at once (*)
//	resume: 403, not understood           watch on at once
//	resume: 401, 429, 502 to 504,         resume again, after a wait
//	  no answer
//	resume: anything else                 the same; the third time, list
//	WatchList: 400, 422                   LIST, now and always
//	WatchList: another 4xx                LIST this time
//	WatchList: ended without bookmark,    another attempt after a wait; after three LIST
//	  or without progress for 10 s        and, if that succeeds, always
//	WatchList: expired, too large         WatchList with "" at once
//	WatchList: 429, 5xx, no server        another attempt; after three LIST this time
//
// (*) If no watch has been of use since such a list, it waits like any failure. A watch was
// of use if it brought something new or lasted a second before it was resumed, or if it
// lasted [Backoff].Reset.
//
// To resume is to read the server's latest version before the watch, by a list of one
// object at "", and to compare it with the version that was reached. It costs one request,
// and the server a look into etcd. A server that was restored from a backup would not
// refuse the watch. It stays silent, without bookmarks, until its own versions have passed
// the one that the watch begins at, and never sends the changes before that. So the
// request is omitted in two cases only. In the first, a watch ended when it should, after
// an event or a bookmark showed that the server knew its version. In the second, a healthy
// server refused the next watch. A WatchList that begins where another informer, or
// another run, stopped is preceded by the request too.
//
// The latest version, unlike one that is not older than some version, is answered at once
// by every server. A restored server would answer the other request with 504 and
// Retry-After, and client-go's clients retry that for 43 s before they return it.
//
// What no question can tell is that a server was restored, and then written to until its
// versions had passed those of before, all while it could not be reached. It answers 410
// if it has compacted, as restoring with etcdutl's --bump-revision and --mark-compacted
// has it do, or if it has not been up for long enough to know older versions; if not,
// what it wrote below the version that was reached is missed. Restore with these flags.
//
// Nor does an equal resourceVersion say that an object is unchanged: a restored server
// gives out versions again. What a list brings is compared with what the cache holds
// ([Options].Known), all of it; that is cheap beside decoding it.
//
// Waits grow exponentially with jitter ([Backoff]). They are as long as the server's
// Retry-After says at least, up to five minutes. They start over once a watch was of use.
// The first answer after an outage, other than 429 and 5xx, lets them start over too: what
// follows the outage does not wait as long as the outage made it. No two requests
// follow each other without a wait unless the second differs from the first or the
// first lasted a second, or is the question that precedes a watch. (client-go 0.37.2
// repeats a WatchList that ends without its bookmark without end or pause,
// kubernetes/kubernetes#140890.) No request lasts for ever: a list and a WatchList end
// when nothing comes, a list also when a continue token repeats, a watch when it
// outlives the time that the server was given, which is random so that clients spread
// out. If it does so because the sink has no room, the server is not blamed.
//
// A list holds at most 20,000 pages and 5,000,000 objects, unless [Options].MaxPages and
// MaxObjects say otherwise.
//
// A list that brings neither an object nor 64 KiB for 30 s is reported as [ErrSlowList], once
// until it brings something again, and by Progress.Stalled. Options.ListStall, five minutes by
// default, cuts a list that brings no object.
//
// # Objects that cannot be decoded
//
// Each is reported. If its key is known it becomes a Stale delta, or is kept in a
// list, so that whoever holds an older state keeps that. If not even the key is known,
// a list cannot tell what was deleted: it is not delivered and counts as failed. A
// watch goes on, since to stop would only add to what is missed; the list that comes
// some day will tell. That an object is gone is believed even if its final state
// cannot be decoded.
//
// # Errors
//
// Every error is told to Options.OnError and kept for [Reflector.LastError]; nothing
// is logged. The reflector never gives up.
package reflector
