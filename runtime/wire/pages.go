// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"hash/maphash"
	"sync"
)

// maxTokens is how many lists a source follows from page to page at a time. Lists that were
// given up count until newer ones take their place.
const maxTokens = 64

// pages passes the rest of Conn.MaxListBytes from one page of a list to the next, so that the limit
// holds for their sum. Each page is a call of List by any reader of the source. Its continue token
// identifies the list.
type pages struct {
	seed maphash.Seed
	mu   sync.Mutex
	left map[uint64]int64 // by the hash of the token that leads to the page, which may be long
}

func newPages() *pages { return &pages{seed: maphash.MakeSeed(), left: map[uint64]int64{}} }

// remaining returns how many bytes the page of token may have: limit if it is the first of a
// list, or if the source does not know the token.
func (p *pages) remaining(token string, limit int64) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if left, ok := p.left[maphash.String(p.seed, token)]; ok {
		return left
	}
	return limit
}

// passed notes that the page of token was read, and that left bytes remain for the page of
// next, which is "" after the last one.
func (p *pages) passed(token, next string, left int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.left, maphash.String(p.seed, token))
	if next == "" {
		return
	}
	for given := range p.left {
		if len(p.left) < maxTokens {
			break
		}
		delete(p.left, given)
	}
	p.left[maphash.String(p.seed, next)] = left
}
