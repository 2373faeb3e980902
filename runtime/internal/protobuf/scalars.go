// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"encoding/binary"
	"math"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/internal/intern"
)

// scalar reads a number whose tag has been read.
func (d *Decoder) scalar(tag uint64) (uint64, error) {
	if tag&7 != varint {
		return 0, errWireType
	}
	return d.varint()
}

func decodeBoolField(d *Decoder, v reflect.Value, tag uint64) error {
	n, err := d.scalar(tag)
	if err == nil {
		v.SetBool(n != 0)
	}
	return err
}

func matchBoolField(d *Decoder, v reflect.Value, tag uint64) bool {
	n, err := d.scalar(tag)
	return err == nil && v.Bool() == (n != 0)
}

// decodeIntField truncates the number to the size of v, as generated code does.
func decodeIntField(d *Decoder, v reflect.Value, tag uint64) error {
	n, err := d.scalar(tag)
	if err == nil {
		v.SetInt(int64(n))
	}
	return err
}

func matchIntField(d *Decoder, v reflect.Value, tag uint64) bool {
	n, err := d.scalar(tag)
	return err == nil && v.Int() == int64(n)
}

func decodeUintField(d *Decoder, v reflect.Value, tag uint64) error {
	n, err := d.scalar(tag)
	if err == nil {
		v.SetUint(n)
	}
	return err
}

func decodeFloatField(d *Decoder, v reflect.Value, tag uint64) error {
	wire, size := uint64(fixed64), 8
	if v.Kind() == reflect.Float32 {
		wire, size = fixed32, 4
	}
	if tag&7 != wire {
		return errWireType
	}
	b, err := d.fixed(size)
	switch {
	case err != nil:
		return err
	case size == 4:
		v.SetFloat(float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	default:
		v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return nil
}

// data reads a field of bytes whose tag has been read.
func (d *Decoder) data(tag uint64) ([]byte, error) {
	if tag&7 != lengthDelimited {
		return nil, errWireType
	}
	return d.bytes()
}

func stringFieldPlan() messagePlan {
	id := intern.Places.Next()
	return messagePlan{
		wire: lengthDelimited,
		decode: func(d *Decoder, v reflect.Value, tag uint64) error {
			text, err := d.data(tag)
			if err == nil {
				v.SetString(d.cache.String(id, text))
			}
			return err
		},
		match: func(d *Decoder, v reflect.Value, tag uint64) bool {
			text, err := d.data(tag)
			return err == nil && v.String() == string(text)
		},
	}
}

// decodeBytesField makes bytes that are not nil, even if there are none.
func decodeBytesField(d *Decoder, v reflect.Value, tag uint64) error {
	data, err := d.data(tag)
	if err == nil {
		v.SetBytes(append(make([]byte, 0, len(data)), data...))
	}
	return err
}

func matchBytesField(d *Decoder, v reflect.Value, tag uint64) bool {
	data, err := d.data(tag)
	return err == nil && !v.IsNil() && string(v.Bytes()) == string(data)
}
