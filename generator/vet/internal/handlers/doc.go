// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package handlers finds the functions of a package that informers and controllers call with objects of their caches.
package handlers
