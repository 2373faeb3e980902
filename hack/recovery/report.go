// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"slices"
	"time"
)

// spread is the median, the least and the longest of some times.
type spread struct{ median, least, longest time.Duration }

func spreadOf(times []time.Duration) spread {
	sorted := slices.Sorted(slices.Values(times))
	n := len(sorted)
	return spread{(sorted[(n-1)/2] + sorted[n/2]) / 2, sorted[0], sorted[n-1]}
}

// limit returns how long our longest round may take beside theirs.
func limit(longest time.Duration) time.Duration { return max(2*time.Second, longest*3/2) }

// report prints the times of one fault, and returns whether its goals hold.
func report(out io.Writer, f fault, measured map[string][]time.Duration) (held bool) {
	goal := spreadOf(measured[theirs])
	held = true
	fmt.Fprintf(out, "%-12s %-28s %8s %8s %8s  %s\n", f.name, "seconds", "median", "min", "max", "goals")
	for _, kind := range kinds {
		s, verdict := spreadOf(measured[kind]), ""
		if kind != theirs && f.goals {
			median, longest := s.median <= goal.median, s.longest <= limit(goal.longest)
			held = held && median && longest
			verdict = fmt.Sprintf("median %s, max %s", hold(median), hold(longest))
		}
		fmt.Fprintf(out, "%-12s %-28s %8.2f %8.2f %8.2f  %s\n",
			"", kind, s.median.Seconds(), s.least.Seconds(), s.longest.Seconds(), verdict)
	}
	return held
}

func hold(holds bool) string {
	if holds {
		return "holds"
	}
	return "MISSED"
}
