// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"encoding/binary"
	"math/bits"
)

// at skips white space and returns the next byte without consuming it.
func (d *Decoder) at() (byte, error) {
	for d.pos < len(d.text) {
		switch c := d.text[d.pos]; c {
		case ' ', '\t', '\r', '\n':
			d.pos++
		default:
			return c, nil
		}
	}
	return 0, ErrShort
}

// open consumes the bracket that starts an object or array. It reports whether the next byte is not
// end, which it consumes otherwise.
func (d *Decoder) open(end byte) (more bool, err error) {
	if d.depth++; d.depth > maxDepth {
		return false, ErrOdd
	}
	d.pos++
	c, err := d.at()
	if err != nil {
		return false, err
	}
	if c == end {
		d.pos++
		d.depth--
		return false, nil
	}
	return true, nil
}

// more consumes the comma or the end after a member or an element.
func (d *Decoder) more(end byte) (bool, error) {
	c, err := d.at()
	if err != nil {
		return false, err
	}
	d.pos++
	switch c {
	case ',':
		_, err := d.at()
		return true, err
	case end:
		d.depth--
		return false, nil
	}
	return false, ErrOdd
}

// name consumes the name of a member and the colon. The name is valid until the next string is read.
func (d *Decoder) name() ([]byte, error) {
	name, err := d.quoted()
	if err != nil {
		return nil, err
	}
	return name, d.colon()
}

// colon consumes the colon after a name.
func (d *Decoder) colon() error {
	c, err := d.at()
	if err != nil {
		return err
	}
	if c != ':' {
		return ErrOdd
	}
	d.pos++
	_, err = d.at()
	return err
}

// quoted consumes a string and returns its content, which is valid until the next string is read.
func (d *Decoder) quoted() ([]byte, error) {
	if d.pos >= len(d.text) {
		return nil, ErrShort
	}
	if d.text[d.pos] != '"' {
		return nil, ErrOdd
	}
	start := d.pos + 1
	i := plainLength(d.text, start)
	if i >= len(d.text) {
		return nil, ErrShort
	}
	if d.text[i] == '"' {
		d.pos = i + 1
		return d.text[start:i], nil
	}
	if d.text[i] != '\\' {
		return nil, ErrOdd // a control character
	}
	return d.unquote(start, i)
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// plainLength returns the index of the first byte of text, from i on, that ends the plain part of a
// string: a quote, a backslash or a control character. It examines eight bytes at a time. Subtracting
// one sets the high bit of a zero byte, and of no other byte below 0x81. A borrow may set high bits of
// the bytes above, but never the lowest bit that is set.
func plainLength(text []byte, i int) int {
	for ; i+8 <= len(text); i += 8 {
		w := binary.LittleEndian.Uint64(text[i:])
		quote, slash := w^(ones*'"'), w^(ones*'\\')
		found := (quote-ones)&^quote | (slash-ones)&^slash | (w-ones*' ')&^w
		if found &= highs; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(text); i++ {
		if c := text[i]; c == '"' || c == '\\' || c < ' ' {
			return i
		}
	}
	return i
}

// literal consumes word.
func (d *Decoder) literal(word string) error {
	if len(d.text)-d.pos < len(word) {
		return ErrShort
	}
	if string(d.text[d.pos:d.pos+len(word)]) != word {
		return ErrOdd
	}
	d.pos += len(word)
	return nil
}

// null consumes null, if it is next.
func (d *Decoder) null() (bool, error) {
	if d.text[d.pos] != 'n' {
		return false, nil
	}
	return true, d.literal("null")
}
