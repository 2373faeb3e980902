// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"errors"
	"io"
)

// Wire types of protobuf.
const (
	varint          = 0
	fixed64         = 1
	lengthDelimited = 2
	startGroup      = 3
	endGroup        = 4
	fixed32         = 5
)

var (
	errVarint   = errors.New("a number has more than 64 bits")
	errLength   = errors.New("a length is negative")
	errTag      = errors.New("a field number is not positive")
	errEndGroup = errors.New("a group ends that has not begun")
	errReserved = errors.New("a wire type is unknown")
)

// varint reads a number.
func (d *Decoder) varint() (uint64, error) {
	if d.pos < d.end {
		if b := d.text[d.pos]; b < 0x80 {
			d.pos++
			return uint64(b), nil
		}
	}
	return d.longVarint()
}

func (d *Decoder) longVarint() (uint64, error) {
	var n uint64
	for shift := 0; shift < 64; shift += 7 {
		if d.pos >= d.end {
			return 0, io.ErrUnexpectedEOF
		}
		b := d.text[d.pos]
		d.pos++
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n, nil
		}
	}
	return 0, errVarint
}

// tag reads the number and wire type of a field.
func (d *Decoder) tag() (uint64, error) {
	tag, err := d.varint()
	switch {
	case err != nil:
		return 0, err
	case tag&7 == endGroup:
		return 0, errEndGroup
	case int32(tag>>3) <= 0:
		return 0, errTag
	}
	return uint64(int32(tag>>3))<<3 | tag&7, nil
}

// length reads a length, which does not reach beyond the message.
func (d *Decoder) length() (int, error) {
	n, err := d.varint()
	switch {
	case err != nil:
		return 0, err
	case int(n) < 0:
		return 0, errLength
	case int(n) > d.end-d.pos:
		return 0, io.ErrUnexpectedEOF
	}
	return int(n), nil
}

// bytes reads a length and returns as many bytes.
func (d *Decoder) bytes() ([]byte, error) {
	n, err := d.length()
	if err != nil {
		return nil, err
	}
	d.pos += n
	return d.text[d.pos-n : d.pos : d.pos], nil
}

// fixed reads n bytes.
func (d *Decoder) fixed(n int) ([]byte, error) {
	if d.end-d.pos < n {
		return nil, io.ErrUnexpectedEOF
	}
	d.pos += n
	return d.text[d.pos-n : d.pos], nil
}

// skipField skips the value of a field.
func (d *Decoder) skipField(tag uint64) (err error) {
	for groups := 0; ; {
		switch tag & 7 {
		case varint:
			_, err = d.varint()
		case fixed64:
			_, err = d.fixed(8)
		case lengthDelimited:
			_, err = d.bytes()
		case startGroup:
			groups++
		case endGroup:
			if groups == 0 {
				return errEndGroup
			}
			groups--
		case fixed32:
			_, err = d.fixed(4)
		default:
			return errReserved
		}
		if groups == 0 || err != nil {
			return err
		}
		if tag, err = d.varint(); err != nil {
			return err
		}
	}
}

// run counts the consecutive fields with this tag, one if it is not repeated, and returns where they end.
// The tag of the first has been read. If a field is damaged, it is the last one, and err is not nil.
func (d *Decoder) run(tag uint64, repeated bool) (n, end int, err error) {
	at := d.pos
	defer func() { d.pos = at }()
	for n = 1; ; n++ {
		if err := d.skipField(tag); err != nil {
			return n, end, err
		}
		end = d.pos
		if next, err := d.varint(); !repeated || err != nil || next != tag {
			return n, end, nil
		}
	}
}
