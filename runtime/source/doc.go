// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package source defines the sources of a cache, and makes a source from any typed client.
//
// A [Source] is a value: a [ListerWatcher], which lists, one page per call, and watches, and the facts that
// a reader needs. A ListerWatcher keeps no state and does not retry: the reflector decides which
// resourceVersion to use, when to retry, and how to handle errors. Sources come from
//
//   - package wire, which speaks HTTP and decodes objects as they arrive;
//   - [FromClient], which reads through a typed client, for example one of client-gen, or its fake. It
//     recognizes the client by its methods and imports nothing of client-go. [FromWatch] is its watch,
//     for sources of your own;
//   - your own type with the methods of a ListerWatcher, in a Source.
//
// [Map] converts the objects of a source to another type, or changes them, and leaves some of them out.
// [Convert] makes any source of another one, and keeps its facts. Both report an object whose conversion panics or
// changes its namespace or name, as one that cannot be decoded. Renames of a [Conversion] allows the latter.
//
// # Errors
//
// Errors of the API server are apimachinery's *errors.StatusError. When the context has ended, the
// error is its cause. An error that wraps [ErrCut] says that the connection broke. The text of an
// error has at most 4 KiB, without control characters or newlines; errors.Is, errors.As and
// k8s.io/apimachinery/pkg/api/errors are not affected.
//
// # Objects
//
// An object that cannot be decoded must not affect the others. A source therefore passes a Stale and the error,
// or a NoKey if not even its key could be read. A Deleted needs only the key. [DeltaOf] makes the delta of an
// object; package delta has the types and the constructors.
//
// The receiver gets objects that keep neither their list nor their stream alive. It must not modify them if
// they come by Reuse, since they then share parts. Otherwise only strings and the fieldsV1 of managedFields
// are shared: replace them with SetRawBytes, but do not modify the bytes of GetRawBytes. Kind and apiVersion are empty, since servers send them with some objects only
// and the Go type implies them. Unstructured objects keep theirs.
//
// # Parts
//
// A [Set] holds parts, for example namespaces or shards. [ForEach] returns a source with a part for
// each of them. [Set.Replace] changes the parts while informers read them, and returns when they have
// followed. Several types may share a Set. [NewNamespaces] is for independent parts: the objects of a
// removed part are deleted at once. [NewHandover] is for parts that take over from each other: the
// objects of a removed part are kept until the new parts have synced. If several parts have an object, and the
// one that is ahead is removed, the object may go back to an earlier state until the others have caught up.
//
// # Absence
//
// A source with Served may not be served by the server, for example because its CustomResourceDefinition is not
// installed. Package discovery makes Served from a connection.
//
// # WatchList
//
// A watch with SendInitialEvents starts with the existing objects, and a bookmark with
// type InitialEnd follows them. Some servers and fakes accept the option and do not send the
// bookmark. A source that knows this has NoWatchList set. For any other, turn WatchLists off with
// NoWatchList of reflector.Settings. Objects of a fake clientset have no resourceVersion unless the
// test sets it.
package source
