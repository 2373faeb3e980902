// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package lister reads a store of Kubernetes objects the way controllers do: by
// namespace and name, by namespace, and by label selector. Emitted listers
// embed one of its two types and add the queries over their own indexes:
//
//   - [Lister] for namespaced kinds, which keeps an index of the namespaces;
//   - [ClusterScopedLister] for cluster-scoped kinds, whose Get takes a name alone.
//
// Get fails with apimachinery's NotFound, as client-go's listers do, so that
// reconcilers keep their apierrors.IsNotFound; Lookup says it with a bool and
// makes no error. Everything that yields objects is a sequence and fails not
// at all.
//
// Objects are shared with the cache and must not be changed; GetCopy returns
// one that may be. A lister is a small value over a store.Reader: Snapshot
// freezes it.
//
// What is asked of several indexes at once goes to the lister's Reader: emitted listers
// give the handles of their indexes (Index), whose queries package store combines.
//
// The package also has the index functions that do not depend on a type's
// fields: [Owners] and [Controller].
package lister
