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
// The store has the objects of all namespaces that the cache reads. Call StoreOf before the manager starts. When a
// reconciler is called for an object, the store has that object or a later state of it. Do not mirror the cache into a
// store of your own with an event handler: handlers of one informer have no order, so a reconciler may run before the
// mirror has its object.
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
// # Several namespaces
//
// A type has one informer, with one store, one registration for each handler and one set of indexes. Its source has a
// part for each namespace of DefaultNamespaces, or of Namespaces in ByObject. controller-runtime has an informer for
// each namespace:
//
//   - The first read in a namespace makes the informer, which reads all configured namespaces. It waits for its own
//     namespace alone, so a Get in a healthy namespace does not wait for a forbidden one. A List in all namespaces,
//     GetInformer, [StoreOf], the start of a controller and [CacheReady] wait for all.
//   - A type has one resync period: the shortest of its namespaces.
//   - Selectors, transforms and UnsafeDisableDeepCopy are those of each namespace. So are the reads of HoldRead and
//     the absence of MayBeAbsent. For a List in all namespaces, a type is absent if it is absent in one of them.
//   - The watch error handler gets the errors of all namespaces. They name the namespace as their source; that of
//     AllNamespaces, for those that are not configured, has no name.
//   - If one namespace cannot be read, the objects of the others stay current, and its own stay as they were.
//
// # Metrics
//
// [Stats] gives the collector of module prometheus the informers of the cache. Emitted informers beside the cache have a
// collector of their own in the same registry.
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
//   - A read that waits for an informer ends with an error when RemoveInformer removes the informer.
//   - Timeout, QPS and Burst of the rest.Config do not apply to lists and watches.
//   - The informers behind the cache are those of package clientgo, which lists how they differ.
//
// # How it works
//
// NewCache calls cache.New twice. The first cache has the options. It never starts. When a type is first read, it makes an
// informer for each namespace, whose ListerWatcher sends one list and one watch request by a client that sends nothing.
// Our source has the resource, namespace, selectors and bookmarks of these requests. If the requests are not understood,
// GetInformer and reads return an error.
//
// The second cache has no options. It makes one informer for each type and form, which is ours, and starts, waits for and
// removes it. Reads go to the store of the informer.
//
// controller-runtime's own tests of its cache pass with NewCache: see hack/test-controller-runtime.sh.
// hack/managerbench measures a manager with and without it.
//
// # Versions
//
// The package requires controller-runtime 0.24. It is a module of its own, so that the runtime does not
// depend on controller-runtime.
package ctrlruntime
