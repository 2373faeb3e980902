// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package clientgo is indexer-gen's informer behind client-go's interfaces. A program that is written
// for client-go keeps its code, and its listers, handlers and typed questions share one watch and one copy
// of the objects.
//
// # One line
//
// [NewSharedIndexInformer] has the signature of client-go's function, and takes its place:
//
//	informer := clientgo.NewSharedIndexInformer(lw, &corev1.Pod{}, resync, indexers)
//
// In a SharedInformerFactory it is the informer of a type from then on, also for the factory's listers:
//
//	newInformer := func(_ kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
//		return clientgo.NewSharedIndexInformer(lw, &corev1.Pod{}, resync, indexers)
//	}
//	factory.InformerFor(&corev1.Pod{}, newInformer)
//
// # What is the same
//
// All of cache.SharedIndexInformer works, and of the cache.Indexer that GetStore and GetIndexer return,
// writing included. Indexers can be added at any time until the informer is stopped. An informer runs once.
// A handler gets every change in order, on a goroutine of its own. A slow handler holds up no other, and
// its pending changes are not bounded. Objects may be unstructured or PartialObjectMetadata. The environment
// variable KUBE_CACHE_MUTATION_DETECTOR turns the mutation detector on, and a mutation ends the program.
// The feature gate WatchListClient decides whether the first list is streamed. Errors of the server go to
// the watch error handler, and other errors to package util/runtime of apimachinery. So does the panic of a
// handler: it ends the program unless ReallyCrash is false.
//
// # What differs
//
//   - A batch of changes is applied at once, and a read is a snapshot.
//   - An index function that returns an error or panics does not end the program. The error is reported,
//     and the object is stored without values in that index.
//   - If an object was deleted and created again while no watch was running, handlers get a deletion, as a
//     cache.DeletedFinalStateUnknown, and an addition. client-go makes an update of it.
//   - An object that a list repeats unchanged is no update, also not for handlers with a resync period.
//   - A deletion of which the final state is not known brings the last known state. The Obj of a
//     cache.DeletedFinalStateUnknown is never nil.
//   - A handler that is added before the start is told of objects that are in the store already, because a
//     test has put them there.
//   - Each handler is resynced on a timer of its own. It starts with the handler, but not before Run.
//   - If a transform fails, the cache keeps the last state of the object.
//   - A transform is called once for each object. When a streamed list is complete, client-go calls it again.
//   - The Indexer is not a cache.TransactionStore. The batches of package store take its place.
//   - Handlers are never called by Run, as those of cache.NewInformer are. So their panics do not pass
//     through it.
//   - Objects must implement metav1.Object, as all that embed metav1.ObjectMeta do. A cache.ObjectMetaAccessor
//     alone is not enough.
//   - Keys are namespace and name. A store that has a key function of its own remains client-go's.
//   - A deletion from an Indexer that no informer writes to does not move its LastStoreSyncResourceVersion.
//   - Writes through the Indexer of an informer do not move its LastStoreSyncResourceVersion, which is that
//     of the source.
//   - The *cache.Reflector that a watch error handler gets has the name and type for messages, and does
//     nothing else.
//
// # More than client-go
//
// [AddEventHandler] takes the options of package informer: a bound with back-pressure, or coalescing. If
// more than a thousand changes have been pending for a handler for more than ten seconds, a warning is
// logged. [Stats] has the number, and much else.
//
// [Find] intersects several indexes, and uses a label index. [NewInformer] reads a native source, such as one of
// package wire. [WaitForSync] says why an informer has not synced.
//
// [StoreOf] returns the typed store of an informer whose type is registered; see package untyped. Typed
// indexes and listers over it share the objects with client-go's listers.
//
// # The other way
//
// [FromInformer] and [NewIndexer] give a native informer or store to code that takes client-go's interfaces,
// such as the listers of k8s.io/client-go/listers.
//
// # Versions
//
// The package requires client-go 0.36, in which the interfaces got HasSyncedChecker. It is a module of its
// own, so that the runtime does not depend on client-go.
package clientgo
