// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

// roads are the ways to use the project, lightest first, and the lines of its code that each takes with it.
const roads = `Three ways to use indexer-gen, lightest first, and the most lines of ours that each takes:
      0  the cache that you have, client-go's or controller-runtime's,
         with indexes from markers: docs/targets.md
 10,075  our cache under client-go, one line per factory: docs/from-client-go.md
 17,825  our cache under a manager of controller-runtime, one line: docs/from-controller-runtime.md
  8,800  generated listers and informers, as above: README.md
`
