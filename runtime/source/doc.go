// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package source says what a cache needs of the place where its objects come
// from, and makes such a source out of any typed client.
//
// A [ListerWatcher] lists, one page a call, and watches. It does what it is
// asked once and knows no state: which resourceVersion to go on from, when to
// try again, and what to make of an error is for the reflector, which drives
// it. There are two of them to choose from:
//
//   - package wire speaks HTTP itself and decodes objects as they arrive;
//   - [FromClient] reads through a typed client, such as client-gen writes, or
//     its fake. The client is known by its shape, and nothing of client-go is
//     imported.
//
// A third is two methods. What else a source may be able to do has an interface each,
// of which none need be implemented:
//
//   - [WatchLister]: it knows that a WatchList would never complete.
//   - [Reuser]: it can tell that an object that comes is one that a cache holds.
//   - [Plural]: it is made up of several, as the sources that [Over] makes of a [Set]
//     are, one for each namespace for example; see below.
//
// A source that wraps another one hides what that can do, unless it has the methods
// too. All of them but those of Plural can be had by handing on what the functions
// [SupportsWatchList] and [Reusing] return for the source within, wrapped again;
// withoutWatchList in watchlist.go is an example. To hide Reuser costs memory at each
// relist. To hide WatchLister makes a fake look like a server that stalls. A Plural must
// not be wrapped as a whole, but part by part.
//
// # Errors
//
// What the API server answers is apimachinery's *errors.StatusError, and what ends the
// context its cause. An error that wraps [ErrCut] says that the connection broke: what
// came before is sound. List and Watch of a Plural fail with [ErrPlural].
//
// An error of a source has at most 4 KiB of text, without control characters or newlines,
// however much the server sent. What errors.Is, errors.As and the functions of
// k8s.io/apimachinery/pkg/api/errors find in it stays the same. A reflector does the same
// to errors of sources that are not made here.
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
// that it came with. Only what has no parts is shared, strings and the fieldsV1 of
// managedFields: SetRawBytes replaces one, but the bytes that GetRawBytes returns are
// not to be edited in place. Its kind and apiVersion are empty, whether the server sent
// them or not: servers send them with some objects and not with others, and the
// Go type says it already. Unstructured objects, whose Go type does not, keep
// theirs.
//
// # Sources that are made up of several
//
// A [Set] holds parts, namespaces or shards, and [Over] makes of it a source that is
// one of its own for each of them. [Set.Set] changes what is in it while informers read,
// and returns when all have followed; several types may share one. [NewNamespaces] is
// for parts that have nothing to do with each other, and what is in one that goes is let
// go at once; [NewHandover] for parts that take over from each other, and what goes is
// kept until the others are there.
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
