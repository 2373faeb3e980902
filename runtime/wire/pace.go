// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import "time"

// paceBytes is how much text makes a judgment of whether a stream is waited for.
const paceBytes = 256 << 10

// pace tells whether a stream waits for being decoded, or the other way round.
type pace struct {
	every  int64
	began  time.Time
	waited time.Duration // for reads, before that
	offset int64         // in the stream, at that time
}

// behind tells whether the stream that f reads came faster than it was decoded,
// each time that enough of it has come to say so: if less than a quarter of the
// time was spent waiting for it.
func (p *pace) behind(f *framer) bool {
	if f.offset()-p.offset < p.every {
		return false
	}
	now := time.Now()
	behind := 4*(f.waited-p.waited) < now.Sub(p.began)
	p.began, p.waited, p.offset = now, f.waited, f.offset()
	return behind
}
