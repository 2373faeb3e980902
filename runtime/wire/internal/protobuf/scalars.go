// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"encoding/binary"
	"math"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/intern"
)

// scalar reads a number whose tag has been read.
func (d *Decoder) scalar(tag uint64) (uint64, error) {
	if tag&7 != varint {
		return 0, errWireType
	}
	return d.varint()
}

func decodeBoolField(d *Decoder, p, _ pointer, tag uint64) error {
	n, err := d.scalar(tag)
	if err == nil {
		*as[bool](p) = n != 0
	}
	return err
}

// decodeIntField truncates the number to the size of T, as generated code does.
func decodeIntField[T int32 | int64](d *Decoder, p, _ pointer, tag uint64) error {
	n, err := d.scalar(tag)
	if err == nil {
		*as[T](p) = T(n)
	}
	return err
}

func decodeFloatField(d *Decoder, p, _ pointer, tag uint64) error {
	if tag&7 != fixed64 {
		return errWireType
	}
	b, err := d.fixed(8)
	if err == nil {
		*as[float64](p) = math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	return err
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
	return messagePlan{wire: lengthDelimited, decode: func(d *Decoder, p, held pointer, tag uint64) error {
		text, err := d.data(tag)
		switch {
		case err != nil:
		case !held.isNil() && *as[string](held) == string(text):
			*as[string](p) = *as[string](held)
		default:
			*as[string](p) = d.cache.String(id, text)
		}
		return err
	}}
}

// decodeBytesField makes bytes that are not nil, even if there are none.
func decodeBytesField(d *Decoder, p, held pointer, tag uint64) error {
	data, err := d.data(tag)
	switch {
	case err != nil:
	case !held.isNil() && *as[[]byte](held) != nil && string(*as[[]byte](held)) == string(data):
		*as[[]byte](p) = *as[[]byte](held)
	default:
		*as[[]byte](p) = append(make([]byte, 0, len(data)), data...)
	}
	return err
}
