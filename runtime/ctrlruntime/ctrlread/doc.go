// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package ctrlread has the options of a manager's cache that hold only what is read of a type, by package readthrough.
//
// [HoldRead] makes the cache watch the metadata of a type, such as Secret, and hold only the objects that were read:
//
//	NewCache: ctrlruntime.NewCacheWith(ctrlread.HoldRead(&corev1.Secret{}, readthrough.Labels)),
//
// docs/readthrough.md says when to use it, and what to change in the code that uses the type.
package ctrlread
