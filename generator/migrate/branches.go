// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"slices"

	"golang.org/x/tools/go/ssa"
)

// branch evaluates a block with a condition up to where its branches meet, and returns that block. The runs of the
// branches are merged, so that they do not multiply with the runs of the rest. branch returns nil, without any effect,
// if a branch leaves the function or the loop before they meet, or if they differ in more than lists.
func (f *frame) branch(b *ssa.BasicBlock, until func(*ssa.BasicBlock) bool) *ssa.BasicBlock {
	join := meeting(b, until)
	if join == nil || until(join) || loop(join) != nil {
		return nil
	}
	var kept []ssa.Value // of b, and the variables that differ with the way
	for _, instr := range slices.Concat(b.Instrs, join.Instrs) {
		v, ok := instr.(ssa.Value)
		_, isPhi := instr.(*ssa.Phi)
		if ok && isPhi == (instr.Block() == join) {
			kept = append(kept, v)
		}
	}
	cells := f.cells
	results := f.part(func() (ends []value) {
		_, last := f.blocks(f.block(b), b, func(x *ssa.BasicBlock) bool { return x == join })
		for _, v := range kept {
			if phi, ok := v.(*ssa.Phi); ok {
				ends = append(ends, f.way(phi, last))
			} else {
				ends = append(ends, f.values[v])
			}
		}
		return ends
	})
	differ := results == nil
	for i, v := range results {
		elsewhere := func(r ssa.Instruction) bool { return r.Block() != b }
		differ = differ || v == several && slices.ContainsFunc(*kept[i].Referrers(), elsewhere)
	}
	for c := range cells {
		differ = differ || f.cells[c] == several && cells[c] != several
	}
	if differ {
		f.cells = cells
		return nil
	}
	for i, v := range results {
		f.values[kept[i]] = v
	}
	return join
}

// meeting returns the first block to which all ways from a condition lead, or nil.
func meeting(b *ssa.BasicBlock, until func(*ssa.BasicBlock) bool) (join *ssa.BasicBlock) {
	if len(b.Succs) < 2 {
		return nil
	}
	without := func(c *ssa.BasicBlock) (seen []*ssa.BasicBlock, ends bool) {
		var visit func(x *ssa.BasicBlock)
		visit = func(x *ssa.BasicBlock) {
			for _, s := range x.Succs {
				if s != c && !slices.Contains(seen, s) {
					seen = append(seen, s)
					visit(s)
				}
			}
			_, panics := x.Instrs[len(x.Instrs)-1].(*ssa.Panic)
			ends = ends || len(x.Succs) == 0 && !panics || x != b && until(x)
		}
		visit(b)
		return seen, ends
	}
	all, _ := without(nil)
	var seen []*ssa.BasicBlock
	for _, c := range all {
		if before, ends := without(c); !ends && c != b && (join == nil || slices.Contains(seen, c)) {
			join, seen = c, before
		}
	}
	return join
}
