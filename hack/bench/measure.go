// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"runtime"
	"time"

	"github.com/indexer-gen/indexer-gen/hack/internal/process"
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
	ours, theirs := never, never
	for range c.rounds {
		ours, theirs = ours.least(timed(r.ours, nOurs)), theirs.least(timed(r.theirs, nTheirs))
	}
	res := resultOf(w, r.name, r.target, ours, theirs, r.wall)
	if r.wall { // allocations of the work beside it cannot be told apart
		res.OursAllocs, res.TheirsAllocs, res.OursBytes, res.TheirsBytes = -1, -1, -1, -1
	}
	return res
}

// resultOf compares what an operation of both sides has cost, by the time of day or by that of the processor.
func resultOf(w *world, name string, target float64, ours, theirs spent, isWall bool) result {
	r := result{
		Name: name, Objects: w.n, Unit: "ns", Target: target, Ours: ours.processor, Theirs: theirs.processor,
		OursAllocs: ours.allocs, TheirsAllocs: theirs.allocs, OursBytes: ours.bytes, TheirsBytes: theirs.bytes,
	}
	if isWall {
		r.Ours, r.Theirs = ours.wall, theirs.wall
	}
	r.Ratio = r.Theirs / r.Ours
	return r
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

// spent is the cost of a piece of work: nanoseconds, allocations and bytes allocated.
type spent struct{ wall, processor, allocs, bytes float64 }

var never = spent{math.Inf(1), math.Inf(1), math.Inf(1), math.Inf(1)}

func (s spent) least(o spent) spent {
	return spent{min(s.wall, o.wall), min(s.processor, o.processor), min(s.allocs, o.allocs), min(s.bytes, o.bytes)}
}

// stopwatch measures from now until the function that it returns is called. That returns the cost of each of n
// operations.
func stopwatch() func(n int) spent {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	began, cpu := time.Now(), process.CPU()
	return func(n int) spent {
		wall, cpu, ops := time.Since(began), process.CPU()-cpu, float64(n)
		runtime.ReadMemStats(&after)
		return spent{
			float64(wall) / ops, float64(cpu) / ops,
			float64(after.Mallocs-before.Mallocs) / ops, float64(after.TotalAlloc-before.TotalAlloc) / ops,
		}
	}
}

// timed does n operations and returns the mean cost of one.
func timed(s side, n int) spent {
	took := stopwatch()
	s(n)
	return took(n)
}
