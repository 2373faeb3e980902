// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package lister reads a store of Kubernetes objects by namespace and name, by namespace, and
// by label selector. Generated listers embed one of its two types and add a method for each
// of their indexes:
//
//   - [Lister] for namespaced kinds, which has an index of namespaces;
//   - [ClusterScopedLister] for cluster-scoped kinds, whose Get takes only a name.
//
// Get returns apimachinery's NotFound error, as client-go's listers do, so
// apierrors.IsNotFound works. Lookup returns a bool instead and allocates nothing. Methods
// that yield several objects return a sequence and no error.
//
// Objects are shared with the cache and must not be changed. GetCopy returns a private copy.
// A lister is a small value over a store.Reader. Snapshot returns a frozen lister.
//
// To query several indexes at once, combine the index handles of a generated lister (Handles)
// with [store.AllOf] or [store.AnyOf], and pass its Reader to the query.
//
// The package also has the index functions [Owners] and [Controller], which work for every
// type, [AppendReference], which generated index functions of references call, and the
// [Writer] of generated indexers.
package lister
