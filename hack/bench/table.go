// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strconv"

	"github.com/indexer-gen/indexer-gen/hack/internal/table"
)

// print prints the table; a ratio that misses its target is marked.
func (b *bench) print() {
	titles := []string{"work", "ours", "client-go", "ratio", "", "target", "allocs", "theirs", "bytes", "theirs"}
	var rows [][]string
	for _, r := range b.results {
		target, mark := "", ""
		if r.Target > 0 {
			target = fmt.Sprintf("%.3g×", r.Target)
			if r.Ratio < r.Target {
				mark = "<"
			}
		}
		row := []string{
			r.Name, quantity(r.Ours, r.Unit), quantity(r.Theirs, r.Unit), fmt.Sprintf("%.3g×", r.Ratio), mark, target,
		}
		for _, n := range []float64{r.OursAllocs, r.TheirsAllocs, r.OursBytes, r.TheirsBytes} {
			if n < 0 || r.Unit == "B" {
				row = append(row, "")
			} else {
				row = append(row, strconv.FormatFloat(n, 'f', 1, 64))
			}
		}
		rows = append(rows, row)
	}
	table.Print(b.out, titles, rows)
}

// quantity prints bytes as they are, and times in a unit that suits them.
func quantity(v float64, unit string) string {
	switch {
	case unit == "B":
		return fmt.Sprintf("%.1f B", v)
	case v >= 1e6:
		return fmt.Sprintf("%.4g ms", v/1e6)
	case v >= 1e3:
		return fmt.Sprintf("%.4g µs", v/1e3)
	}
	return fmt.Sprintf("%.3g ns", v)
}
