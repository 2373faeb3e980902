// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"math"
	"reflect"
	"strconv"
)

// number takes a number and tells whether it is written as an integer.
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
		return nil, false, ErrShort // it may go on
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

// integer takes a number that is written as an integer and fits 64 bits.
func (d *Decoder) integer() (int64, error) {
	text, integer, err := d.number()
	if err != nil {
		return 0, err
	}
	negative := text[0] == '-'
	if negative {
		text = text[1:]
	}
	if !integer || len(text) > 18 {
		return 0, ErrOdd
	}
	var n int64
	for _, c := range text {
		n = n*10 + int64(c-'0')
	}
	if negative {
		n = -n
	}
	return n, nil
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
	n, err := d.integer()
	if err != nil {
		return err
	}
	if d.text[d.pos-1] == '0' && n == 0 && d.pos > 1 && d.text[d.pos-2] == '-' || n < 0 || v.OverflowUint(uint64(n)) {
		return ErrOdd
	}
	v.SetUint(uint64(n))
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

// untypedNumber takes a number where there is no type: what is written as an
// integer and fits one stays one.
func (d *Decoder) untypedNumber() (any, error) {
	text, _, err := d.number()
	if err != nil {
		return nil, err
	}
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return n, nil
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.IsInf(f, 0) {
		return nil, ErrOdd
	}
	return f, nil
}
