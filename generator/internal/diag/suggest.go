// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package diag

import (
	"fmt"
	"strings"
)

// DidYouMean returns "; did you mean X?" for the candidate nearest to got, or "".
func DidYouMean(got string, candidates []string) string {
	if best := Nearest(got, candidates); best != "" {
		return fmt.Sprintf("; did you mean %s?", best)
	}
	return ""
}

// Nearest returns the candidate nearest to got, or "" if none is near. Of equally near
// candidates it returns the first.
func Nearest(got string, candidates []string) string {
	best, limit := "", len([]rune(got))/3+1
	for _, c := range candidates {
		if d := Distance(strings.ToLower(got), strings.ToLower(c)); d <= limit && c != got {
			best, limit = c, d-1
		}
	}
	return best
}

// Distance returns the number of edits that turn a into b. An edit inserts, deletes or replaces
// a letter, or swaps two neighbors.
func Distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	if len(x) > 200 || len(y) > 200 {
		return max(len(x), len(y)) // too long for a typing mistake
	}
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(x)][len(y)]
}
