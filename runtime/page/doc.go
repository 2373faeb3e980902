// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package page serves a page about the informers of a program: types, objects, indexes with their largest values,
// sources, handlers, and the last errors. People get HTML, programs the same as JSON:
//
//	http.Handle("/debug/informers", page.Handler(informers.Stats))
//
// The page shows values of indexes and error texts of servers. Serve it where only operators can read it.
package page
