// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"slices"
	"sync"
)

// ReportsOf returns a function that returns the errors reported by s from now on.
func ReportsOf[K comparable, T any](s *Store[K, T]) func() []error {
	var (
		mu  sync.Mutex
		all []error
	)
	s.reports.add(func(err error) {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, err)
	})
	return func() []error {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}
