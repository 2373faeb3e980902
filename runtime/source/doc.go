// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package source says what a cache needs of the place where its objects come
// from, and makes such a source out of any typed client.
//
// A [ListerWatcher] lists, one page a call, and watches. It does what it is
// asked once and knows no state: which resourceVersion to go on from, when to
// try again, and what to make of an error is for the reflector, which drives
// it. There are two of them to choose from, and a third can be written in an
// hour:
//
//   - package wire speaks HTTP itself and decodes objects as they arrive;
//   - [FromClient] reads through a typed client, such as client-gen writes, or
//     its fake. The client is known by its shape, and nothing of client-go is
//     imported.
//
// # Objects that are not as they should be
//
// One object that does not fit its Go type must not cost the others. So what
// comes from a source is an [Item]: an object, or the error that took its
// place, with the key of the object if that could be read. A deletion is worth
// its key alone: an event of type Deleted with a Key and an Err is as good as
// any.
//
// # What an object looks like
//
// Every object is the receiver's own, and keeps neither the list nor the stream
// that it came with. Its kind and apiVersion are empty, whether the server sent
// them or not: servers send them with some objects and not with others, and the
// Go type says it already. Unstructured objects, whose Go type does not, keep
// theirs.
//
// # WatchList
//
// A watch with SendInitialEvents set begins with what exists and says by a
// bookmark that it has sent it all ([Event].InitialEventsEnd). Not everything
// that accepts the option does that. A source that knows beforehand says so by
// [WatchLister]; what comes of the fakes that client-gen writes is known by
// their shape, and [WithoutWatchList] says it of any other. A fake clientset
// has one more trait: its objects have no resourceVersion unless the test gives
// them one, and then an Event has none either.
package source
