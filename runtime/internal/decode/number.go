// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"math"
	"reflect"
	"strconv"
)

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

// magnitude reads an integer whose absolute value has at most 64 bits.
func (d *Decoder) magnitude() (n uint64, negative bool, err error) {
	text, integer, err := d.number()
	if err != nil {
		return 0, false, err
	}
	negative = text[0] == '-'
	if negative {
		text = text[1:]
	}
	if !integer || len(text) > len(largest) || len(text) == len(largest) && string(text) > largest {
		return 0, false, ErrOdd
	}
	for _, c := range text {
		n = n*10 + uint64(c-'0')
	}
	return n, negative, nil
}

// largest is the largest number of 64 bits.
const largest = "18446744073709551615"

// integer reads an int64.
func (d *Decoder) integer() (int64, error) {
	n, negative, err := d.magnitude()
	switch {
	case err != nil:
		return 0, err
	case !negative && n <= math.MaxInt64:
		return int64(n), nil
	case negative && n <= -math.MinInt64:
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

func decodeUint(d *Decoder, v reflect.Value) error {
	if null, err := d.null(); null || err != nil {
		return err
	}
	n, negative, err := d.magnitude()
	if err != nil {
		return err
	}
	if negative || v.OverflowUint(n) {
		return ErrOdd
	}
	v.SetUint(n)
	return nil
}

func decodeFloat(d *Decoder, v reflect.Value) error {
	if null, err := d.null(); null || err != nil {
		return err
	}
	text, _, err := d.number()
	if err != nil {
		return err
	}
	f, err := strconv.ParseFloat(string(text), v.Type().Bits())
	if err != nil || v.OverflowFloat(f) {
		return ErrOdd
	}
	v.SetFloat(f)
	return nil
}
