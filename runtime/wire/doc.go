// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package wire lists and watches the resources of a Kubernetes API server over HTTP, with net/http
// and without client-go.
//
// A [Conn] describes the connection to a server. [Source] returns a source for one resource, from
// which an informer reads:
//
//	conn := wire.Conn{Client: client, BaseURL: "https://10.0.0.1:6443"}
//	src := wire.Source[*v1alpha1.Device](conn, v1alpha1.DevicesResource)
//
// The http.Client belongs to the caller and handles TLS, tokens, impersonation, proxies, HTTP/2 and
// compression. Package kubeconn, a module of its own, creates a Conn from a kubeconfig or from a
// Pod's service account, with client-go.
//
// # Versions
//
// The package is a module of its own, so that a program with a typed client has no file of it. Use it at the
// version of module runtime. The two share packages accessor, truncate and typemeta, which are internal to
// runtime. Copies would serve only programs that mix versions, and every correction would be made twice.
// generation.go makes a runtime of a later generation a compile error; hack/docs tests such a pair.
//
// # Smaller objects
//
// Options of a Conn or of one source omit fields and share memory:
//
//	conn = conn.With(wire.WithoutManagedFields())
//	src := wire.Source[*v1.Device](conn, v1.DevicesResource, wire.Skip(".status.history"), wire.ShareParts())
//
// Skipped fields are not decoded. A Go type with only the needed fields has the same effect (package
// slim; [ProtobufOf] for built-in types). If the Go type has only metadata, the server sends only that.
//
// Repeated strings share their memory. The objects of a cache must not be modified, so they also share
// equal maps, lists and pointers. [ShareParts] does the same elsewhere.
//
// # Decoding
//
// Packages decode (JSON) and protobuf decode an object in one pass where it lies in the read buffer.
// The end of a JSON object that is not completely in the buffer is first found by strings and brackets
// (frame.go); messages begin with their length. list.go and watch.go decode the envelopes. One
// goroutine decodes one stream and passes each object on at once. Beside these objects, a list needs
// memory for one object, as text and decoded, and for what the decoder remembers (package intern).
//
// Results of JSON are those of sigs.k8s.io/json, which client-go uses: names are case-sensitive, integers
// without a Go type stay integers, unknown fields are ignored. Package decode gives the same results
// for valid text and leaves all other text to that decoder (object.go). Results of protobuf are those of
// the generated code.
//
// Items of a list of built-in types have no kind. A type that decodes itself, like unstructured
// objects, gets the kind of the list (itemkind.go). A response that is not a list is an error, because
// an empty list would empty a cache: it must have items, and must not be a Table or HTML.
//
// Informers pass the objects in their cache. If an object equals the cached one in
// every field, the source returns the cached object (reuse.go), so a relist of unchanged objects allocates
// next to nothing. Equal UIDs and resourceVersions would not be enough: after a restore of etcd they may
// stand for different content. From protobuf, a changed object shares its unchanged parts with the cached
// one.
//
// # Cost
//
// hack/syncbench compares a source with client-go's informer on a real API server: processor time,
// memory and time of a sync, of watch events and of a relist. Its README has the figures.
//
// # Encodings
//
// A source asks for protobuf if its Go type has field numbers, as built-in types have, and takes JSON
// if the server sends that, as it does for custom resources. Nothing is configured, and the objects are
// equal. API servers spend a quarter of the processor time on protobuf that they spend on JSON. Per Pod
// of 5.6 KB in JSON, on one core (BenchmarkForms in hack/corpus):
//
//	JSON                                    23.6 µs    64 allocations    7.1 KB live
//	protobuf                                17.7 µs    64 allocations    7.1 KB live
//	protobuf, shared parts                  13.5 µs    34 allocations    3.9 KB live
//	protobuf, updates of cached objects     11.5 µs     4 allocations    1.3 KB live
//
// The figures contain reading the response.
//
// # Why two decoders of our own
//
// They are half of the module's lines: 1,300 for JSON, 1,140 for protobuf. Both were weighed against a library that
// decodes one object after the other. Its figures, divided by ours in the same run of BenchmarkForms:
//
//	                                            CPU    allocations    live heap
//	JSON: encoding/json/v2                      1.5        1.8           1.4
//	JSON: sigs.k8s.io/json, as in client-go     2.7        2.8           1.4
//	protobuf: the generated code                0.8        2.2           1.4
//	protobuf: the same, for an update           0.8        8.0           8.2
//
// The JSON decoder stays for the processor time of a sync and of watch events and for the live heap, three rows of
// hack/syncbench: with json/v2, which is also stricter than API servers, each would grow by more than a tenth. The
// protobuf decoder stays for the live heap of built-in types alone, which the generated code makes 1.4 times as
// large, and 8 times as large for what an update leaves behind. A program that has enough memory would not miss it.
//
// Compression is left to the Transport; that of net/http requests gzip by default. API servers compress
// lists, and since 1.37 WatchLists, but not watches.
//
// # Errors
//
//   - An object that does not fit its Go type, is JSON and not UTF-8, or whose UnmarshalJSON or Unmarshal
//     panics is a Stale with an error that names the object and, from JSON, the path in it, or a NoKey if
//     not even its key can be decoded. Other objects are not affected.
//   - Invalid JSON, a truncated response and JSON that nests deeper than 10,000 levels end the request
//     with an error that has the position.
//   - An object larger than Conn.MaxObjectBytes is [ErrObjectTooLarge], a list larger than
//     Conn.MaxListBytes [ErrListTooLarge].
//   - A response other than 200, a Status and an ERROR event are the server's *apierrors.StatusError,
//     or one with the code, the text and Retry-After of the response. At most 5 s are spent reading
//     the body.
//   - A Go type without metadata, and a Skip that the Go type makes impossible, are errors of each
//     List and Watch.
//   - When the context ends, the error is its cause. A request that outlasts its TimeoutSeconds by
//     half a minute is canceled. The next request then uses a new connection, because the old one may be dead.
//
// The text of an error has at most 4 KiB, without control characters. URLs in errors have no
// user, password and query. Nothing is retried here; package reflector does that.
//
// # Redirects
//
// A Transport adds credentials to every request, including redirected ones. Therefore a redirect is
// followed only within the scheme, host and port of Conn.BaseURL, up to ten times. Other redirects are
// errors that name the target. If the target is the
// API server, set Conn.BaseURL to it. A CheckRedirect of Conn.Client replaces these rules.
//
// # Limits of size
//
// A list may have 8 GiB after decompression, all pages together: the largest etcd that its authors
// recommend. A limit that a real list reaches would be worse than a large one, because the informer
// would never sync. To bound memory, set Conn.MaxListBytes to ten times today's list, for example.
// Watches have no limit.
//
// An object may have 16 MiB. API servers refuse requests of more than 3 MiB. In memory an object may be
// larger than on the wire: {} takes three bytes in a list of JSON, two in protobuf, and the size of a list
// element in Go. 8 MiB of "managedFields":[{},{},…] took 0.7 to 0.9 GiB of heap, and 1 to 1.3 GiB with a
// mistake at the end, which makes them decoded twice. A cache then keeps 96 bytes for each of these
// elements. API servers check built-in types, and a schema can check custom resources (maxItems).
// Otherwise set Conn.MaxObjectBytes just above the largest object, or skip the list.
package wire
