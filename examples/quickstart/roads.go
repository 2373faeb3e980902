// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

// roads are the ways to use the project, lightest first, and the lines of its code that each takes with it.
const roads = `Three ways to use indexer-gen, lightest first, and about how many lines of ours each takes:
      0  the cache that you have, client-go's or controller-runtime's, with indexes
         from markers, on Kubernetes modules from v0.32 on: docs/targets.md
  9,000  our cache under client-go, one line per factory, from v0.36 on: docs/from-client-go.md
 15,000  our cache under a manager of controller-runtime, one line, from v0.24 on: docs/from-controller-runtime.md
  8,000  generated listers and informers, as above, from v0.32 on: README.md
`
