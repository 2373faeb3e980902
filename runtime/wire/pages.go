// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"hash/maphash"
	"slices"
	"sync"
)

// maxTokens is how many lists a source follows from page to page at a time. Lists that were
// given up count until newer ones take their place.
const maxTokens = 64

// pages carries what is left of Conn.MaxListBytes from one page of a list to the next, so
// that the limit holds for their sum. Each page is a call of List, by any reader of the
// source; the continue token tells which list the page belongs to.
type pages struct {
	seed   maphash.Seed
	mu     sync.Mutex
	coming []page // the newest last
}

// page is one that a continue token leads to.
type page struct {
	token uint64 // its hash: a token may be long
	left  int64
}

func newPages() *pages { return &pages{seed: maphash.MakeSeed()} }

// remaining returns how many bytes the page of token may have: limit if it is the first of a
// list, or if the source does not know the token.
func (p *pages) remaining(token string, limit int64) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := p.index(token); i >= 0 {
		return p.coming[i].left
	}
	return limit
}

// passed notes that the page of token was read, and that left bytes remain for the page of
// next, which is "" after the last one.
func (p *pages) passed(token, next string, left int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, known := range []string{token, next} {
		if i := p.index(known); i >= 0 {
			p.coming = slices.Delete(p.coming, i, i+1)
		}
	}
	if next == "" {
		return
	}
	if len(p.coming) == maxTokens {
		p.coming = slices.Delete(p.coming, 0, 1)
	}
	p.coming = append(p.coming, page{maphash.String(p.seed, next), left})
}

// index returns where token is in coming, -1 if it is not there.
func (p *pages) index(token string) int {
	if token == "" {
		return -1
	}
	hash := maphash.String(p.seed, token)
	return slices.IndexFunc(p.coming, func(q page) bool { return q.token == hash })
}
