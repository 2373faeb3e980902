// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package intern

// A Sampler learns whether lookups hit often enough to pay, and pauses them if they do not. At first they
// do.
type Sampler struct {
	tries, hits uint16
	paused      uint16 // how many more lookups to leave out
}

const (
	// If fewer than a quarter of sampleSize lookups hit, the next restSize are left out. Looking up a
	// string takes half the time of a new string, and finding a cached object a tenth of decoding one.
	sampleSize = 256
	restSize   = 2048
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
			s.paused = restSize
		}
		s.tries, s.hits = 0, 0
	}
}
