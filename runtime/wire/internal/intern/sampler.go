// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package intern

// A Sampler learns whether lookups hit often enough to pay, and pauses them if they do not. At first they
// do.
type Sampler struct {
	tries, hits uint16
	rest        uint16 // how many lookups the last pause left out
	paused      uint16 // how many more lookups to leave out
}

const (
	// If fewer than a quarter of sampleSize lookups hit, the next firstRest are left out, and twice as many
	// each time that follows, up to mostRest. Looking up a string takes half the time of a new string, and
	// finding a cached object a tenth of decoding one.
	sampleSize = 256
	firstRest  = 2048
	mostRest   = 8192
)

// Worth reports whether to make the next lookup.
func (s *Sampler) Worth() bool {
	if s.paused > 0 {
		s.paused--
		return false
	}
	return true
}

// Note records the result of a lookup.
func (s *Sampler) Note(hit bool) {
	s.tries++
	if hit {
		s.hits++
	}
	if s.tries == sampleSize {
		if s.hits < sampleSize/4 {
			s.rest = min(max(2*s.rest, firstRest), mostRest)
		} else {
			s.rest = 0
		}
		s.tries, s.hits, s.paused = 0, 0, s.rest
	}
}
