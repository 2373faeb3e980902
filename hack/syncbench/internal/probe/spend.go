// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"errors"
	"runtime"
	"slices"
	"time"
)

// Spent is the processor time and the number of allocations of some work.
type Spent struct {
	CPU    time.Duration
	Allocs uint64
}

// Per returns microseconds and allocations for each of n.
func (s Spent) Per(n int) (micros, allocs float64) {
	return float64(s.CPU.Nanoseconds()) / 1000 / float64(n), float64(s.Allocs) / float64(n)
}

// Spend measures work, a phase of a job. It includes the collection of garbage, and begins with none.
func (j Job) Spend(phase string, work func() error) (Spent, error) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	m, err := j.begin(phase)
	if err != nil {
		return Spent{}, err
	}
	err = work()
	usage, stopped := m.end()
	runtime.ReadMemStats(&after)
	return Spent{CPU: usage.CPU, Allocs: after.Mallocs - before.Mallocs}, errors.Join(err, stopped)
}

// PerCall returns microseconds and allocations for each call of f: medians of some rounds.
func PerCall(f func()) (micros, allocs float64) {
	const rounds, calls = 9, 20_000
	var times, counts []float64
	for range rounds {
		s, _ := Job{}.Spend("", func() error {
			for range calls {
				f()
			}
			return nil
		})
		micros, allocs := s.Per(calls)
		times, counts = append(times, micros), append(counts, allocs)
	}
	slices.Sort(times)
	slices.Sort(counts)
	return times[rounds/2], counts[rounds/2]
}
