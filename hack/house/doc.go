// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package house has no code: its tests hold the layout of the repository, which
// module and package may import which, and what each file must have.
package house
