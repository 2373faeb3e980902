// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

// extent finds the end of a value in text that arrives in pieces.
type extent struct {
	depth   int
	quoted  bool // inside a string
	escaped bool // after a backslash in it
	scalar  bool // inside a number or word, at depth 0
}

// scan goes on in text from done, which is what it returned before, and returns
// how far it got. If the value is complete, that is its length.
func (x *extent) scan(text []byte, done int) (n int, complete bool) {
	for i := done; i < len(text); i++ {
		if x.quoted {
			i = x.skipString(text, i)
			if x.quoted {
				return len(text), false
			}
			if x.depth == 0 {
				return i + 1, true
			}
			continue
		}
		switch text[i] {
		case '"':
			if x.scalar {
				return i, true
			}
			x.quoted = true
		case '{', '[':
			if x.scalar {
				return i, true
			}
			x.depth++
		case '}', ']':
			if x.depth == 0 {
				// It closes what the value is in. As a value of its own it is an
				// error that its decoder reports.
				return max(i, 1), true
			}
			x.depth--
			if x.depth == 0 {
				return i + 1, true
			}
		case ',', ':', ' ', '\t', '\r', '\n':
			if x.depth == 0 {
				return max(i, 1), true
			}
		default:
			x.scalar = x.depth == 0
		}
	}
	return len(text), false
}

// skipString goes on inside a string from i and returns the index of its
// closing quote, or len(text) if that is not there yet.
func (x *extent) skipString(text []byte, i int) int {
	for ; i < len(text); i++ {
		switch {
		case x.escaped:
			x.escaped = false
		case text[i] == '\\':
			x.escaped = true
		case text[i] == '"':
			x.quoted = false
			return i
		}
	}
	return i
}
