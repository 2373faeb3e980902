// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"fmt"
	"io"
	"math"
)

const (
	firstBufferBytes = 16 << 10
	// busyBufferBytes is the size to which the buffer grows if a read fills it.
	busyBufferBytes = 64 << 10
	// idleBufferBytes is the largest buffer that a watch keeps while it waits.
	idleBufferBytes = 1 << 20
)

// framer splits JSON text that arrives in pieces into values, without decoding them. It finds the end
// of a value by strings and brackets alone, so a value may be invalid JSON. It holds one value at a
// time.
type framer struct {
	r          io.Reader
	buf        []byte
	begin, end int   // buf[begin:end] is read but not taken
	busy       bool  // the last read filled the buffer
	before     int64 // bytes of the text ahead of buf[0]
	most       int64 // bytes of an object, as errors state the limit
	limit      int64
}

// newFramer returns a framer that splits r into values of at most most bytes, with at most margin
// bytes around them.
func newFramer(r io.Reader, most, margin int64) *framer {
	return &framer{r: r, most: most, limit: min(most+margin, math.MaxInt64-firstBufferBytes)}
}

// framerOver returns a framer for text that is complete. Its values alias text.
func framerOver(text []byte) framer {
	return framer{buf: text, end: len(text), limit: int64(len(text))}
}

// offset returns the position of the next byte in the text.
func (f *framer) offset() int64 { return f.before + int64(f.begin) }

// fill reads at least one more byte.
func (f *framer) fill() error {
	if f.r == nil {
		return io.EOF
	}
	if f.begin == f.end {
		f.before += int64(f.begin)
		clear(f.buf[:f.end]) // it may be long until the next text, and this one may have secrets that were skipped
		if f.begin, f.end = 0, 0; cap(f.buf) > idleBufferBytes {
			f.buf = nil
		}
	}
	if f.end == len(f.buf) {
		f.makeRoom()
	}
	for range 100 {
		n, err := f.r.Read(f.buf[f.end:])
		f.end += n
		f.busy = f.end == len(f.buf)
		if n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// makeRoom moves the pending bytes to the front, and grows the buffer if that gains less than half
// of it.
func (f *framer) makeRoom() {
	pending := f.buf[f.begin:f.end]
	into := f.buf
	switch {
	case len(pending) > len(f.buf)/2 || len(f.buf) == 0:
		// A value of more than limit bytes is an error before this is full.
		size := min(int64(2*len(f.buf)), f.limit+firstBufferBytes)
		into = make([]byte, max(firstBufferBytes, size))
	case f.busy && len(f.buf) < busyBufferBytes:
		into = make([]byte, busyBufferBytes)
	}
	clear(into[copy(into, pending):])
	f.before += int64(f.begin)
	f.buf, f.begin, f.end = into, 0, len(pending)
}

// pending returns the bytes that were read and not consumed. They are valid until the next use of f.
func (f *framer) pending() []byte { return f.buf[f.begin:f.end] }

// take consumes n pending bytes.
func (f *framer) take(n int) { f.begin += n }

// peek skips white space and returns the next byte without consuming it. At the end of the text it
// returns io.EOF.
func (f *framer) peek() (byte, error) {
	for {
		for f.begin < f.end {
			switch c := f.buf[f.begin]; c {
			case ' ', '\t', '\r', '\n':
				f.begin++
			default:
				return c, nil
			}
		}
		if err := f.fill(); err != nil {
			return 0, err
		}
	}
}

// expect skips white space and consumes the byte c.
func (f *framer) expect(c byte) error {
	got, err := f.peek()
	if err != nil {
		return unexpectedEnd(err)
	}
	if got != c {
		return f.syntaxError("%q instead of %q", got, c)
	}
	f.begin++
	return nil
}

// expectEnd reports an error if anything but white space follows.
func (f *framer) expectEnd() error {
	c, err := f.peek()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.syntaxError("%q after the end", c)
}

// value consumes the next value and returns its bytes, which are valid until the next use of f. At the
// end of the text it returns io.EOF.
func (f *framer) value() ([]byte, error) {
	first, err := f.peek()
	if err != nil {
		return nil, err
	}
	end := extent{}
	for done := 0; ; {
		text := f.buf[f.begin:f.end]
		n, complete := end.scan(text, done)
		if int64(n) > f.limit {
			return text[:f.limit], f.tooLarge()
		}
		if complete {
			f.begin += n
			return text[:n], nil
		}
		done = n
		if err := f.fill(); err != nil {
			if errors.Is(err, io.EOF) && isScalar(first) {
				text = f.buf[f.begin:f.end]
				f.begin = f.end
				return text, nil
			}
			return nil, unexpectedEnd(err)
		}
	}
}

func (f *framer) syntaxError(format string, args ...any) error {
	return fmt.Errorf("not JSON at byte %d: %s", f.offset(), fmt.Sprintf(format, args...))
}

// unexpectedEnd replaces io.EOF within a value by io.ErrUnexpectedEOF.
func unexpectedEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// placed adds the position to the error of a text that ends too early.
func (f *framer) placed(err error) error {
	if err == io.ErrUnexpectedEOF { //nolint:errorlint // a wrapped one already has its position
		return fmt.Errorf("the text ends at byte %d: %w", f.before+int64(f.end), err)
	}
	return err
}

func isScalar(first byte) bool { return first != '{' && first != '[' && first != '"' }

// extent finds the end of a value in text that arrives in pieces.
type extent struct {
	depth   int
	quoted  bool // inside a string
	escaped bool // after a backslash in it
	scalar  bool // inside a number or word, at depth 0
}

// scan continues at done, the result of the previous call, and returns how far it got. If the value is
// complete, that is its length.
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
				// The bracket closes the enclosing value. As a value of its own it is invalid, which its
				// decoder reports.
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

// skipString continues within a string at i and returns the index of the closing quote, or len(text)
// if text ends before.
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
