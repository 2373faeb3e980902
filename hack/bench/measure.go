// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"runtime"
	"syscall"
	"time"
)

// side is one side's way to do n operations of a row.
type side func(n int)

// row is one line of the table: the same work, done by both.
type row struct {
	name   string
	target float64 // how many times faster ours is to be; 0 if nobody has asked
	ours   side
	theirs side
	wall   bool // measured in time of day, since other work runs beside it
}

// result is a row as measured.
type result struct {
	Name                     string
	Objects                  int
	Unit                     string
	Ours, Theirs             float64
	Ratio                    float64 // how many times better ours is
	Target                   float64
	OursAllocs, TheirsAllocs float64 // allocations an operation; -1: not measured
	OursBytes, TheirsBytes   float64 // bytes allocated an operation; -1: not measured
}

// clock says how long to measure.
type clock struct {
	rounds int
	round  time.Duration
}

// measure times both sides in turn and returns the best round of each.
func (c clock) measure(w *world, r row) result {
	nOurs, nTheirs := c.calibrate(r.ours), c.calibrate(r.theirs)
	ours, theirs := math.Inf(1), math.Inf(1)
	res := result{Name: r.name, Objects: w.n, Unit: "ns", Target: r.target}
	for range c.rounds {
		a, b := timed(r, r.ours, nOurs), timed(r, r.theirs, nTheirs)
		ours, theirs = min(ours, a.ns), min(theirs, b.ns)
		res.OursAllocs, res.TheirsAllocs = a.allocs, b.allocs
		res.OursBytes, res.TheirsBytes = a.bytes, b.bytes
	}
	if r.wall { // allocations of the work beside it cannot be told apart
		res.OursAllocs, res.TheirsAllocs, res.OursBytes, res.TheirsBytes = -1, -1, -1, -1
	}
	res.Ours, res.Theirs, res.Ratio = ours, theirs, theirs/ours
	return res
}

// calibrate finds how many operations take about a round.
func (c clock) calibrate(s side) int {
	for n := 1; ; {
		start := time.Now()
		s(n)
		took := time.Since(start)
		if took > c.round/4 || n > 1<<30 {
			return max(1, int(float64(n)*float64(c.round)/float64(max(took, 1))))
		}
		n *= 4
	}
}

// operation is the cost of one operation.
type operation struct{ ns, allocs, bytes float64 }

// timed does n operations and returns the mean cost of one.
func timed(r row, s side, n int) operation {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := clockOf(r)
	s(n)
	took := clockOf(r) - start
	runtime.ReadMemStats(&after)
	return operation{
		ns:     float64(took) / float64(n),
		allocs: float64(after.Mallocs-before.Mallocs) / float64(n),
		bytes:  float64(after.TotalAlloc-before.TotalAlloc) / float64(n),
	}
}

// clockOf reads the process's processor time, or the time of day for rows with concurrent work.
func clockOf(r row) time.Duration {
	if r.wall {
		return time.Duration(time.Now().UnixNano())
	}
	var u syscall.Rusage
	must(syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// heap returns the bytes that are live.
func heap() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc)
}
