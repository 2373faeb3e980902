// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package ctrlread is for managers that watch many large objects, such as all Secrets, and read few. [HoldRead] is an
// option of their cache, by which it watches the metadata of a type and holds only the objects that were read:
//
//	NewCache: ctrlruntime.NewCacheWith(ctrlread.HoldRead(&corev1.Secret{}, readthrough.Labels)),
//
// docs/readthrough.md says when to use it, and what to change in the code that uses the type.
package ctrlread
