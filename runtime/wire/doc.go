// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package wire lists and watches the resources of a Kubernetes API server over
// HTTP, with net/http and nothing of client-go.
//
// A [Conn] says how to reach the server, and [Source] makes of it and of a
// resource what a cache reads from:
//
//	conn := wire.Conn{Client: client, BaseURL: "https://10.0.0.1:6443"}
//	src := wire.Source[v1alpha1.Device](conn, v1alpha1.DeviceResource, "")
//
// The http.Client is the caller's, and so is all that it does: TLS, tokens,
// impersonation, proxies, HTTP/2, compression. Package kubeconn, a module of its own,
// makes a Conn from a kubeconfig or of what a Pod finds, by client-go.
//
// # Redirects
//
// A Transport adds credentials to every request, redirected ones included. A redirect is
// therefore followed only on the host and port of Conn.BaseURL, up to ten times, and from
// http to https if both use their default port. Any other redirect fails, with an error that
// names the target. If that is the API server, set Conn.BaseURL to it. To decide
// otherwise, give Conn.Client a CheckRedirect; it then decides about every redirect. The
// http.Client itself is never changed.
//
// # Less of everything
//
// Options, for one source or for all of a Conn, say what is not wanted:
//
//	conn = conn.With(wire.WithoutManagedFields())
//	src := wire.Source[v1.Device](conn, v1.DeviceResource, "", wire.Skip(".status.history"), wire.ShareMaps())
//
// What is left out is skipped in the text. A type that has only the fields that
// are wanted does the same without a word (package slim). Of what is wanted for
// its metadata alone, [MetadataSource] has the server send no more than that.
// Strings that repeat share their memory in any case, within bounds.
//
// # From bytes to objects
//
// An object that is in the buffer as a whole, as most are, is decoded where it
// lies by package decode, which reads it once: its end is found by decoding it.
// Else the framer (frame.go, extent.go) finds its end by strings and brackets
// alone, as the text arrives. The list and watch decoders (list.go, watch.go)
// walk the envelope: an object with items, or a sequence of events. One goroutine
// decodes one stream. Besides the objects that it has handed on, a list takes the memory of one
// object, as text and decoded, and about 6 MiB that its decoder keeps. The first object
// is handed on while the last is still on its way.
//
// What an object means is for sigs.k8s.io/json to say, which client-go uses: names
// are matched with their case, integers stay integers where there is no type,
// unknown fields are skipped. Package decode decodes what is sound to the same
// result, and leaves the rest to it (object.go).
//
// Items of lists of built-in types carry no kind. A type that decodes itself, as
// unstructured objects do, is given that of the list (itemkind.go).
//
// An answer that is no list is refused, lest it pass for an empty one and
// empty a cache: it must have items, and be neither a Table nor a page of HTML.
//
// Who asks for it (source.Reusing), as informers do, gets an object that the cache
// holds if the text says the same in every field (reuse.go): a relist makes nothing
// of what is as it was. That UID and resourceVersion are the same would not do;
// after a restore of etcd they can stand for other content.
//
// # What it costs
//
// 50,000 custom resources of 2.5 KB from a real API server over TLS, beside
// client-go 0.37.2's informer, with everything kept: a fifth of the processor time
// by WatchList and two fifths of it by LIST, half and a third of the peak memory, a ninth
// of the time to follow a watch, a tenth of the memory that a relist adds. All
// figures are in examples/syncbench/README.md.
//
// # Why JSON alone
//
// Built-in types could be had as protobuf. Pods of 5.6 KB, one core, for each:
//
//	JSON, this package               23 µs    60 allocations    7.1 KB live
//	the same, no managedFields,
//	  shared maps                    21 µs    51 allocations    6.1 KB live
//	protobuf, the generated code     15 µs   160 allocations   10.7 KB live
//
// (BenchmarkForms in hack/corpus.) So it would be had for half as much memory
// again, with nothing left out or shared, unless by one more decoder of our own;
// and custom resources have none. The 8 µs do not pay for that.
//
// Whether answers are compressed is left to the Transport; one of net/http asks for it
// unless told otherwise. To inflate such a Pod takes 10 µs, and spares what TLS and
// HTTP/2 cost, which is more between two processes of one machine
// (examples/syncbench/README.md). API servers compress lists, since 1.37 WatchLists too
// (WatchListCompression), and no watches of changes.
//
// # What can be wrong, and what becomes of it
//
//   - An object does not fit its Go type, is not UTF-8, or its UnmarshalJSON
//     panics: a source.Item with an error that names the object and the path
//     within it, and with the key if that can be read all the same. The others
//     are not affected. The error says at most 4 KiB, of long values, names and
//     paths the beginning and the end.
//
//     Where to look ends after 4 MiB; then the error has the names of fields that
//     the reference gives, without indexes. Bytes that are not UTF-8 count in fields
//     that the type does not have, too, and not in those that are skipped by an
//     option. An object without metadata, of a type that embeds a pointer to it, is
//     one of these.
//
//   - The Go type has no metadata, or cannot have what Skip is told to leave out: an
//     error of each List and Watch, before anything is asked.
//
//   - The text is not JSON, ends too soon, or goes on after its end: an error
//     that says where; what follows a mistake cannot be trusted. Nesting deeper
//     than 10,000 levels counts as this.
//
//   - One value is larger than Conn.MaxObjectBytes: [ErrObjectTooLarge], with the name
//     of the object if that was within.
//
//   - One list is larger than Conn.MaxListBytes: [ErrListTooLarge].
//
//   - The server answers other than 200, or with a Status, or sends an ERROR event: the
//     *apierrors.StatusError that it sent, or one made from the code and the words
//     of the answer, with the seconds of Retry-After. The body of such an answer is
//     read for 5 s at most. The error has the URL if it is a 404, or no Status.
//
//   - Text from the server is long, or is not printable: each error has at most 4 KiB,
//     without control characters or newlines. Its Status is shortened too and keeps the
//     code, the reason, the types of up to 32 causes and the delay that the server asks for.
//
//   - An error has a URL: without the user, password and query, which may be credentials.
//
//   - The answer is compressed, and the Transport has not inflated it, for it was asked
//     for by a header that somebody else set: an error that says so.
//
//   - The context ends: its cause, as it is. If the request set TimeoutSeconds
//     and the server does not keep to it, the request ends half a minute later
//     by itself. After a request that ended because nobody would wait longer, the
//     next one leaves its connection, which may be dead.
//
// # How much is too much
//
// A limit must be low enough to end a stream that has no end, and high enough that
// no list of anything real comes near it, for an informer that never syncs is worse
// than one that takes much memory. A list has 8 GiB, of JSON, and after decompression, so that a
// few bytes cannot stand for many: that is the most that etcd's authors recommend to
// keep in it at all, of all types together, with their history. To decode so much
// takes a minute or two of one processor, and to keep it as many gigabytes as would
// have to be there.
//
// Who knows better what there can be, and has less memory, sets Conn.MaxListBytes
// lower: to ten times what the list has today, say. A type with large objects in a large
// aggregated API may need it higher. The pages of a list count together. A source follows
// them by their continue tokens, for up to 64 lists at a time. A watch of changes has no
// bound: it may last for as long as the program.
//
// An object has 16 MiB: API servers refuse requests of more than 3 MiB, and etcd by
// default half of that. This is a limit of text. What the text becomes depends on the
// Go type, and who may write what the server stores can make much of it: {} takes three
// bytes in a list, and in memory what an element of the list takes in Go, twice while
// the list grows. 8 MiB of "managedFields":[{},{},…], which come as 8 KB if compressed,
// took 0.7 to 0.9 GiB of heap when this was measured, and 1 to 1.3 GiB with a mistake at
// the end, by which they are decoded twice; elements larger than those take more. What
// a cache then keeps is 96 bytes for each of these elements, and the room that the list
// has grown by. Objects of more than 32 KiB are decoded one after the other.
//
// API servers check lists of built-in types, and the schema of a custom resource can
// (maxItems). Where neither can be trusted, set Conn.MaxObjectBytes to little more than
// the largest object that there is, or leave the list out, by [Skip] or a type without
// it: what is skipped takes nothing.
//
// Nothing is tried again here; see package reflector.
package wire
