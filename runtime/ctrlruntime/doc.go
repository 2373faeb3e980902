// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package ctrlruntime puts our informers and stores under a manager of controller-runtime. Its cache then takes less
// memory and processor time, and emitted listers read it.
//
// # The cache of a manager
//
// One line makes a manager read through package wire and keep objects in our stores:
//
//	mgr, err := ctrl.NewManager(config, ctrl.Options{NewCache: ctrlruntime.NewCache})
//
// Types need no markers for that. Reconcilers, predicates, IndexField and all of cache.Options stay as they
// are. Structured, unstructured and metadata-only objects are kept apart, as in controller-runtime: each form
// that a program reads is a watch of its own.
//
// # Typed reads
//
// [StoreOf] returns the typed store of the cache. Emitted listers and indexes over it share the watch and the
// objects of the manager:
//
//	devices, err := ctrlruntime.StoreOf[*v1.Device](ctx, mgr.GetCache())
//	if err != nil {
//		return err
//	}
//	lister := v1.NewDeviceLister(devices)
//
// Call it before the manager starts. When a reconciler is called for an object, the store has that object or a
// later state of it. Do not mirror the cache into a store of your own with an event handler: handlers of one
// informer have no order, so a reconciler may run before the mirror has its object.
//
// # Options
//
// Options of the cache are in packages of their own, and only programs that use them link them. [NewCacheWith] takes
// them:
//
//   - Package ctrlread: watch the metadata of a type, such as Secret, and hold only the objects that were read.
//   - Package ctrlabsent: a type that the server may not serve, such as ServiceMonitors.
//
// # Native informers
//
// Emitted informers run in a manager, too. A [Runnable] runs them, and [Source] gives their events to a controller.
// [FromClient] reads through a client of controller-runtime, in tests a fake one.
//
// # Triggers
//
// Package ctrltrigger gives a controller the keys of package trigger, which takes the place of mapping functions.
// [InformerOf] returns the informers of the cache for it.
//
// # What differs
//
//   - A List by several fields is an intersection of their indexes. controller-runtime filters the objects
//     of the first field.
//   - A List by labels uses the label index of the typed store, if there is one (store.AddLabels).
//   - If WaitForCacheSync times out, the cache logs which informers have not synced, and why. [WaitForSync]
//     returns that as an error.
//   - Without bookmarks (EnableWatchBookmarks), the first objects are listed and not streamed. A streamed
//     list ends with a bookmark.
//   - Get of a cluster-scoped object heeds UnsafeDisableDeepCopy also if the cache has several namespaces.
//   - Timeout, QPS and Burst of the rest.Config do not apply to lists and watches.
//   - The informers behind the cache are those of package clientgo, which lists how they differ.
//
// # How it works
//
// NewCache calls cache.New and replaces the informers and the reads. cache.New gives an informer a
// ListerWatcher, which does not tell what it reads. Its requests do, so NewCache has it make one list and one
// watch request with a client that sends nothing. The resource, namespace, selectors and bookmarks of these
// requests are those of our source.
//
// In a cache of several namespaces, a read in one of them needs its synced informer, or that of AllNamespaces if
// the namespace is not configured. A read in all namespaces needs every informer. Other reads are left to
// controller-runtime's cache, and so are reads in several namespaces with different UnsafeDisableDeepCopy.
//
// controller-runtime's own tests of its cache pass with NewCache: see hack/test-controller-runtime.sh.
// hack/managerbench measures a manager with and without it.
//
// # Versions
//
// The package requires controller-runtime 0.24. It is a module of its own, so that the runtime does not
// depend on controller-runtime.
package ctrlruntime
