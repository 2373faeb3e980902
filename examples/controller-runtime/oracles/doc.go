// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package oracles compares emitted indexes with the index functions that projects wrote by hand. Its test
// fetches the projects. testdata has the markers that replace their functions.
package oracles
