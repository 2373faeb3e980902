// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package conn is emitted, but for this file: what is emitted calls a parameter conn.
package conn
