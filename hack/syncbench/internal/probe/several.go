// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package probe

import "context"

// several is the caches of a client with many informers. It has what each of them has.
type several []Cache

// startAll starts as many caches as the job says.
func startAll(ctx context.Context, job Job, start func(context.Context, Job) (Cache, error)) (Cache, error) {
	if job.Informers == 0 {
		return start(ctx, job)
	}
	var all several
	for range job.Informers {
		cache, err := start(ctx, job)
		if err != nil {
			return nil, err
		}
		all = append(all, cache)
	}
	return all, nil
}

func (s several) every(holds func(Cache) bool) bool {
	for _, cache := range s {
		if !holds(cache) {
			return false
		}
	}
	return true
}

func (s several) Synced() bool { return s.every(Cache.Synced) }

func (s several) Has(namespace, name string) bool {
	return s.every(func(c Cache) bool { return c.Has(namespace, name) })
}

// Len is that of the smallest cache.
func (s several) Len() int {
	n := s[0].Len()
	for _, cache := range s[1:] {
		n = min(n, cache.Len())
	}
	return n
}

func (s several) Lists() (n int) {
	for _, cache := range s {
		n += cache.Lists()
	}
	return n
}
