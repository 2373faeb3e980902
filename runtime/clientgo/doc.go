// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package clientgo provides indexer-gen's informer behind client-go's interfaces. A program written for
// client-go keeps its code. Its listers, handlers and typed questions share one watch and one copy of the
// objects.
//
// # Use
//
// Package informers, below this one, makes client-go's SharedInformerFactory with these informers. For other
// factories of informer-gen, [InformerFor] does so, type by type:
//
//	foos, err := clientgo.InformerFor(factory, &v1alpha1.Foo{}, clientgo.InformerOptions{Namespace: namespace})
//
// [NewSharedIndexInformer] has the signature of client-go's function and takes its place in programs that make their
// informers themselves. [ListWatch] makes its first argument.
//
// # What stays
//
// All methods of cache.SharedIndexInformer work, and all of the cache.Indexer that GetStore and GetIndexer
// return, including writes:
//
//   - Indexers can be added at any time until the informer is stopped.
//   - Each handler runs on a goroutine of its own and gets every change, in order. A slow handler delays no
//     other handler. The number of its pending changes is not bounded.
//   - Objects may be unstructured or PartialObjectMetadata.
//   - The key of an object is that of the transformed object.
//   - An informer runs once.
//   - The feature gate WatchListClient decides whether the first list is streamed.
//   - Errors of the server go to the watch error handler. Other errors go to package util/runtime of
//     apimachinery.
//   - The panic of a handler ends the program, unless ReallyCrash of package util/runtime is false.
//   - The environment variable KUBE_CACHE_MUTATION_DETECTOR turns client-go's mutation detector on. A
//     mutation then ends the program.
//
// # What differs
//
// Reads and writes:
//
//   - A batch of changes is applied at once, and a read is a snapshot.
//   - Objects must implement metav1.Object, as all types that embed metav1.ObjectMeta do. A
//     cache.ObjectMetaAccessor alone is not enough.
//   - Keys are namespace and name. Use client-go's store if you need another key function.
//   - An object without a name is stored under the empty name, as in client-go, if it has no resourceVersion and
//     the client is a fake. From a server, a list with such an object is an error, and the store stays as it is.
//   - If an index function returns an error or panics, the error is reported, and the object is stored without
//     values in that index. client-go panics.
//   - The Indexer is not a cache.TransactionStore. Use the batches of package store.
//   - Add, Update and Delete of an informer's Indexer do not change its LastStoreSyncResourceVersion, which is the
//     source's. In an Indexer without an informer, a deletion does not change it.
//
// Handlers:
//
//   - If an object was deleted and created again while no watch was running, handlers get a deletion and an
//     addition. The deletion is a cache.DeletedFinalStateUnknown. client-go delivers an update.
//   - If a list repeats an object unchanged, handlers get no update, with or without a resync period.
//   - If the final state of a deleted object is unknown, the last known state is delivered. The Obj of a
//     cache.DeletedFinalStateUnknown is never nil.
//   - If a test writes objects to the store before Run, handlers that were added before Run get them too.
//   - If Replace or Delete of the Indexer removed an object that the source still has, its later deletion calls no
//     handler. client-go calls OnDelete.
//   - Each handler has a resync timer of its own. It starts with the handler, but not before Run.
//   - Run does not call handlers itself, unlike that of cache.NewInformer. Their panics do not pass through it.
//
// Transforms and errors:
//
//   - If a transform returns something without metadata, the list or watch fails. client-go drops the object.
//   - A transform is called once per object. client-go calls it again when a streamed list is complete.
//   - If a transform fails or panics, the cache keeps the last state of the object, and the watch error handler is
//     called. In client-go, a panic ends the program, unless ReallyCrash is false.
//   - The *cache.Reflector that a watch error handler gets has a name and a type for messages. Its other
//     methods do nothing.
//   - Of the metrics of SetInformerMetricsProvider, a named factory publishes the resourceVersion of the store, once
//     a second and with client-go 0.37 or newer. The other two measure client-go's queue, which does not exist
//     here. [Stats] has the pending changes and the calls of each handler.
//
// # More than client-go
//
//   - [StoreOf] returns the typed store of an informer whose type is registered; see [Register]. Typed
//     indexes and listers over it share the objects with client-go's listers.
//   - [AddEventHandler] takes the options of package informer: a bound with back-pressure, or coalescing.
//   - [Stats] returns statistics, such as the number of pending changes of each handler. A warning is logged
//     if a handler has more than 1,024, and the oldest has been pending for ten seconds.
//   - [Find] intersects several indexes, and uses a label index.
//   - [WaitForSync] says why an informer has not synced.
//   - [MayBeAbsent] is for a resource that the server may not serve. [Present] says whether it does. client-go's
//     informer of such a resource never syncs.
//   - [NewInformer] reads a native source, such as one of package wire.
//
// # The other way
//
// [FromInformer] and [NewIndexer] pass a native informer or store to code that takes client-go's interfaces,
// such as the listers of k8s.io/client-go/listers.
//
// # Versions
//
// The package requires client-go 0.36, whose interfaces have HasSyncedChecker. It is a module of its own, so
// that the runtime does not depend on client-go.
package clientgo
