// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import "sync/atomic"

// Places in types for which a Decoder keeps state are numbered, for the whole process, as plans are
// made.
var (
	sites      atomic.Int32 // where strings come from
	scratchIDs atomic.Int32 // of slices
)

func newSite() int    { return int(sites.Add(1)) - 1 }
func newScratch() int { return int(scratchIDs.Add(1)) - 1 }

// placesOfPage is the number of places, mostly of one type, whose state is allocated together.
const placesOfPage = 32

// perPlace holds an S for each place, at first zero. A Decoder meets few of all places, so only their
// pages are allocated.
type perPlace[S any] struct{ pages []*[placesOfPage]S }

func (p *perPlace[S]) at(id int) *S {
	if page := id / placesOfPage; page < len(p.pages) && p.pages[page] != nil {
		return &p.pages[page][id%placesOfPage]
	}
	return p.add(id)
}

func (p *perPlace[S]) add(id int) *S {
	page := id / placesOfPage
	if page >= len(p.pages) {
		p.pages = append(p.pages, make([]*[placesOfPage]S, page+1-len(p.pages))...)
	}
	p.pages[page] = new([placesOfPage]S)
	return &p.pages[page][id%placesOfPage]
}

// clear drops all state.
func (p *perPlace[S]) clear() { p.pages = nil }
