// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package places numbers the places in types that decoders keep state for, and holds that state.
package places

import "sync/atomic"

// Counter numbers places from 0 on, for the whole process, as the plans of types are made.
type Counter struct{ n atomic.Int32 }

// Next returns the number of a new place.
func (c *Counter) Next() int { return int(c.n.Add(1)) - 1 }

// Skip leaves out n numbers.
func (c *Counter) Skip(n int) { c.n.Add(int32(n)) }

// Len returns how many numbers were given out or left out.
func (c *Counter) Len() int { return int(c.n.Load()) }

// pageLen is the number of places, mostly of one type, whose state is allocated together.
const pageLen = 32

// Map holds an S for each place, at first zero. A decoder meets few of all places, so only their pages
// are allocated.
type Map[S any] struct{ pages []*[pageLen]S }

// At returns the state of a place.
func (m *Map[S]) At(id int) *S {
	if page := id / pageLen; page < len(m.pages) && m.pages[page] != nil {
		return &m.pages[page][id%pageLen]
	}
	return m.add(id)
}

func (m *Map[S]) add(id int) *S {
	page := id / pageLen
	if page >= len(m.pages) {
		m.pages = append(m.pages, make([]*[pageLen]S, page+1-len(m.pages))...)
	}
	m.pages[page] = new([pageLen]S)
	return &m.pages[page][id%pageLen]
}

// Clear drops all state.
func (m *Map[S]) Clear() { m.pages = nil }
