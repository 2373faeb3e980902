// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import "reflect"

// number reads a number and reports whether it has neither a fraction nor an exponent.
func (d *Decoder) number() (text []byte, integer bool, err error) {
	start, i := d.pos, d.pos
	if i < len(d.text) && d.text[i] == '-' {
		i++
	}
	digits := func() int {
		from := i
		for i < len(d.text) && d.text[i]-'0' <= 9 {
			i++
		}
		return i - from
	}
	if i < len(d.text) && d.text[i] == '0' {
		i++
	} else if digits() == 0 {
		return nil, false, endOr(i, d.text)
	}
	integer = true
	if i < len(d.text) && d.text[i] == '.' {
		i++
		integer = false
		if digits() == 0 {
			return nil, false, endOr(i, d.text)
		}
	}
	if i < len(d.text) && (d.text[i] == 'e' || d.text[i] == 'E') {
		i++
		integer = false
		if i < len(d.text) && (d.text[i] == '+' || d.text[i] == '-') {
			i++
		}
		if digits() == 0 {
			return nil, false, endOr(i, d.text)
		}
	}
	if i == len(d.text) {
		return nil, false, ErrShort // the number may continue
	}
	d.pos = i
	return d.text[start:i], integer, nil
}

func endOr(i int, text []byte) error {
	if i >= len(text) {
		return ErrShort
	}
	return ErrOdd
}

// integer reads an int64.
func (d *Decoder) integer() (int64, error) {
	text, integer, err := d.number()
	if err != nil {
		return 0, err
	}
	negative := text[0] == '-'
	if negative {
		text = text[1:]
	}
	if !integer || len(text) > 19 {
		return 0, ErrOdd
	}
	var n uint64 // strconv takes 5 % more of a list of numbers
	for _, c := range text {
		n = n*10 + uint64(c-'0')
	}
	switch {
	case !negative && n < 1<<63:
		return int64(n), nil
	case negative && n <= 1<<63:
		return -int64(n), nil // right for the least int64, too
	}
	return 0, ErrOdd
}

func decodeInt(d *Decoder, v reflect.Value) error {
	if null, err := d.null(); null || err != nil {
		return err
	}
	n, err := d.integer()
	if err != nil {
		return err
	}
	if v.OverflowInt(n) {
		return ErrOdd
	}
	v.SetInt(n)
	return nil
}
