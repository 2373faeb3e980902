// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package house tests the layout of the repository: which modules and packages may import
// which others, and what an import takes with it. It has no other code. hack/lint.sh checks what each file must contain.
package house
