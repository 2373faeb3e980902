// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package reflector copies the objects of a source and all their changes into a sink: list,
// watch, and recovery from failures.
//
// Two words describe its course. An operation ([Op]) is what it requests: a list, a watch list, a watch, a resume
// or a discovery. An [Event] is a step of its course, such as the begin of an operation or its failure. Stats count both;
// a [Reason] is the label of an error in them.
//
// # Requests
//
// A reflector reads the existing objects in one of two ways. A WatchList (KEP-3157) is a watch that
// starts with all existing objects, marks their end by a bookmark, and continues with changes. It
// saves the server and the client a large response. Sources without WatchList get a LIST, in
// pages, and then a watch from the list's resourceVersion.
//
// The first LIST asks for resourceVersion "0": any state in the server's cache. Later lists ask for a
// state not older than the last one read, so that another, slower API server does not move the
// reflector back in time. If the server no longer has that version (410 Gone), does not have it yet
// ("too large resource version"), or rejects it, the list asks for "": the latest state in etcd.
// If a list at "0" came in pages, the server has no cache, and later lists come in pages, too. A
// reflector runs once, so a new one has to find that out again.
//
// A list older than the last state read means that the source went back, as a restore of etcd from
// a backup does. It is delivered with Rewound set.
//
// # Deltas
//
// Each item of a list or watch becomes one [delta.Delta]. A watch passes it to the sink at once. A list
// collects the deltas of all objects, each Replaced, Stale or Kept, and passes them on when it is complete.
// Among the initial events of a WatchList an object may change or be deleted, and its last state counts.
//
// # Failures
//
// One pure function, next, returns what follows an operation. It is this table:
//
//	response                              next step
//	list: expired, too large or           list at "" at once
//	  invalid version
//	list: continue token expired          the same list without pages, at once; if pages come
//	                                        and expire again, a failure
//	list: more than MaxObjects, a         a failure
//	  repeated token
//	list: any other error                 the same list after a wait
//	list: no progress                     a list at "" after a wait, unless it is the first
//	watch: ended when requested           watch at once
//	watch: ended early, or silent         resume at once
//	watch: ended within a second          a failure: resume after a wait; the tenth time without
//	                                        a change, list
//	watch: connection cut, no server      resume after a wait; no change is missed
//	watch: 401, 502, 503, 504             the same
//	watch: 429                            watch after a wait; no change is missed
//	watch: 403                            the same; the third time, list
//	watch: 410 Gone, StoreReadError       list at once (*)
//	watch: too large or invalid version   list at "" at once (*)
//	watch: any other error, garbage       resume after a wait; the third time, list
//	watch: an event older than the last,  list at "" at once (*)
//	  except a delete
//	resume: the server is not behind      watch at once
//	resume: the latest version is older   list at "" at once (*)
//	resume: 403, not supported            watch at once
//	resume: 401, 429, 502 to 504,         resume again after a wait
//	  no response
//	resume: any other error               the same; the third time, list
//	WatchList: 400, 422                   LIST, now and always
//	WatchList: another 4xx                LIST this time
//	WatchList: ended without bookmark,    another attempt after a wait; after three, LIST and, if
//	  or no progress for 10 s               that succeeds, always LIST
//	WatchList: expired, too large         WatchList at "" at once
//	WatchList: 429, 5xx, no server        another attempt after a wait; after three, LIST this time
//	list, watch, WatchList, resume: 404,  discovery at once
//	  and the type is not served
//	discovery: the type is served         list at once, as if nothing had been read
//	discovery: the sink fails             discovery after a wait
//
// (*) Only the first such list is immediate. The next ones wait, until a watch makes progress.
//
// A watch makes progress if it brings a change, or if it lasts a second. If a list follows it, that is
// not enough: then it must last [Backoff].Reset. Neither the time that a server takes to answer 429 or
// 5xx counts, nor that of the initial events of a WatchList.
//
// Waits grow exponentially with jitter ([Backoff]). They respect Retry-After up to five minutes. They
// start over after a watch that made progress, and after the first response that ends an outage (no
// server, 429 or 5xx). So a wait is long only if many requests have failed since the last progress.
// Two requests follow each other without a wait only if the second differs from the first, the
// first lasted a second, or the first is a resume.
//
// # Absent types
//
// If the source has Served, a 404 is no failure while Served says that the server does not serve the type. The
// reflector asks after each 404. If it has read the type, the type must stay unserved for ten seconds. Then the sink
// gets an empty list with Absent set. A discovery asks every ten seconds, or when [Options].Wake has a value, and ends
// when the type is served. An error of Served is a failure of the discovery, and no answer.
//
// # Resume
//
// Before it continues a watch, the reflector reads the server's latest version by a list of one
// object at "" and compares it with the last version read. A server restored from a backup would
// accept the watch. It would stay silent until its own versions have passed the requested one, and
// never send the changes before. The check costs one request and one etcd read. It is omitted in two
// cases: a watch ended as requested, after an event or bookmark showed that the server knew its
// version; or a healthy server refused the watch. A WatchList that starts at a version read by an
// earlier run is preceded by the check, too.
//
// One case is undetectable: while the reflector is disconnected, a server is restored and then
// written to until its versions have passed the last one read. Such a server answers 410 if it was
// restored with etcdutl's --bump-revision and --mark-compacted, or if it has just started. Otherwise
// changes are missed. Restore with these flags.
//
// A restored server may also assign a resourceVersion twice. Therefore lists are compared with the
// cache ([Options].Known) by content, which is cheap beside decoding.
//
// # Limits
//
// Every request ends. A list and a WatchList end when no object comes (ListStall, WatchListStall), a
// list also when a continue token repeats or it exceeds MaxObjects. After a page without new objects
// the next one waits, as after a failure; after ListStall of such pages the list fails. A watch is canceled
// when it outlasts its timeout, which is random so that clients do not reconnect together. A
// watch that outlasts it because the sink is full is not a failure.
//
// # Objects that cannot be decoded
//
// Each one is reported. If its key is known it becomes a Stale delta, also in a list, so that
// the cache keeps the last known state. If a WatchList brought an older state that could be decoded, the
// list has both. If the key is unknown, a list is a failure, because it cannot tell which objects
// were deleted. A watch continues. A delete counts even if the object's
// final state cannot be decoded.
//
// The fixtures of tests may have objects without a name. If the source does not support WatchLists, as
// fake clients, and the object has no resourceVersion either, its key has the empty name, as in client-go.
// Any other object without a name has an unknown key.
//
// # Errors
//
// Every error is an EventFailed, and the last is in Stats. If lists fail again for an unknown key,
// Options.OnEvent gets their errors at growing intervals. The package does not
// log. A reflector never gives up, unless Options.NoRelist is set.
package reflector
