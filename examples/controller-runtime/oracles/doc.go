// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package oracles compares emitted indexes with the index functions that projects wrote by hand, and triggers
// with map functions and predicates. Its tests fetch the projects. testdata has the markers and triggers that
// replace their functions.
package oracles
