// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"strings"
	"testing"
)

func TestPrint(t *testing.T) {
	var out strings.Builder
	Print(&out, []string{"work", "µs"}, [][]string{{"list", Number(12.345, 1)}, {"no figure", Number(0, 1)}})
	PrintGoals(&out, []Goal{{"CPU", 0.5, 0.4}, {"memory", 0.5, 0.6}})
	const want = `work         µs
list       12.3
no figure

ratio   goal    is
CPU     0.50  0.40
memory  0.50  0.60  not reached
`
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}

func TestMedian(t *testing.T) {
	same := func(n float64) float64 { return n }
	if m, none := Median([]float64{9, 1, 2}, same), Median(nil, same); m != 2 || none != 0 {
		t.Errorf("%v of three, %v of none", m, none)
	}
}
