// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import "sync"

// pages passes the rest of Conn.MaxListBytes from one page of a list to the next, so that the limit
// holds for their sum. Each page is a call of List, and its continue token identifies the list. Of lists
// that are read at the same time, the last one counts.
type pages struct {
	mu    sync.Mutex
	token string // leads to the next page
	left  int64  // of the limit, for that page and those after it
}

// remaining returns how many bytes the page of token may have: limit if it is the first of a list, or
// if the source does not know the token.
func (p *pages) remaining(token string, limit int64) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if token != "" && token == p.token {
		return p.left
	}
	return limit
}

// passed notes that left bytes remain for the page of token, which is "" after the last page.
func (p *pages) passed(token string, left int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.token, p.left = token, left
}
