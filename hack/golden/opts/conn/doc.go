// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package conn is emitted except for this file. Its name is that of an emitted parameter.
package conn
