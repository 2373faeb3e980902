// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package ctxsync has a mutex and a wake-up signal that can be waited for with a context.
package ctxsync
