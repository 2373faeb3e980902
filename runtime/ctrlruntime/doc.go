// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package ctrlruntime is indexer-gen in the managers of controller-runtime.
//
// It is a module of its own, so that the runtime does not depend on controller-runtime. It requires
// controller-runtime 0.24 or later.
package ctrlruntime
