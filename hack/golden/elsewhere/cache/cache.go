// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package cache is emitted, but for this file: users may add to it.
package cache

import "github.com/indexer-gen/indexer-gen/hack/golden/elsewhere"

// Failed counts the Jobs that have failed.
func (l JobLister) Failed() int {
	n := 0
	for range l.ByPhase(elsewhere.Phase("Failed")) {
		n++
	}
	return n
}
