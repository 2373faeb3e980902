// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package table prints the figures of benchmarks.
package table

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// Print prints rows of cells below their titles. The first column is aligned left, the others right.
func Print(out io.Writer, titles []string, rows [][]string) {
	rows = append([][]string{titles}, rows...)
	widths := make([]int, len(titles))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		line := fmt.Sprintf("%-*s", widths[0], row[0])
		for i, cell := range row[1:] {
			line += fmt.Sprintf("  %*s", widths[i+1], cell)
		}
		fmt.Fprintln(out, strings.TrimRight(line, " "))
	}
}

// Number formats a figure. It returns "" for 0, which says that nothing was measured.
func Number(n float64, digits int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%.*f", digits, n)
}

// Goal is a ratio that is to be reached.
type Goal struct {
	What        string
	Most, Ratio float64
}

// PrintGoals prints how far goals are reached.
func PrintGoals(out io.Writer, goals []Goal) {
	var rows [][]string
	for _, g := range goals {
		row := []string{g.What, fmt.Sprintf("%.2f", g.Most), fmt.Sprintf("%.2f", g.Ratio), ""}
		if g.Ratio > g.Most {
			row[3] = "not reached"
		}
		rows = append(rows, row)
	}
	fmt.Fprintln(out)
	Print(out, []string{"ratio", "goal", "is", ""}, rows)
}

// Median returns the middle figure of all; 0 for none.
func Median[T any](all []T, of func(T) float64) float64 {
	if len(all) == 0 {
		return 0
	}
	var values []float64
	for _, one := range all {
		values = append(values, of(one))
	}
	slices.Sort(values)
	return values[len(values)/2]
}
