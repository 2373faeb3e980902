// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package types has the name of a package that emitted files import.
package types

// Namespace is a key.
type Namespace string
