// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"unicode/utf8"

	"github.com/indexer-gen/indexer-gen/runtime/internal/decode"
	"github.com/indexer-gen/indexer-gen/runtime/internal/typemeta"
)

// codec decodes objects from one encoding.
type codec interface {
	// identify reads the identity of the object that data begins with.
	identify(data []byte) (decode.Identity, bool)
	// match returns the length of the object that data begins with if decoding it would give held.
	match(data []byte, held any) (n int, same bool)
	// decode decodes the object that data begins with and returns its length.
	decode(data []byte, into any) (n int, err error)
}

// jsonCodec decodes JSON that is usual text. It returns decode.ErrShort if the object goes on after
// data, and another error if the reference decoder must judge the object.
type jsonCodec struct{ *decode.Decoder }

func (c jsonCodec) identify(text []byte) (decode.Identity, bool) { return c.Identify(text) }

func (c jsonCodec) match(text []byte, held any) (n int, same bool) {
	n, same = c.Match(text, held, typemeta.Clears(held))
	return n, same && utf8.Valid(text[:n])
}

func (c jsonCodec) decode(text []byte, into any) (n int, err error) {
	n, err = c.Decode(text, into)
	if err == nil && !utf8.Valid(text[:n]) {
		err = decode.ErrOdd
	}
	return n, err
}

// protobufCodec decodes a message that is all of data.
type protobufCodec struct {
	*decode.Decoder
	message *decode.Message
}

func (c protobufCodec) identify(data []byte) (decode.Identity, bool) { return c.IdentifyMessage(data) }

func (c protobufCodec) match(data []byte, held any) (n int, same bool) {
	return len(data), c.MatchMessage(c.message, data, held)
}

func (c protobufCodec) decode(data []byte, into any) (n int, err error) {
	return len(data), c.DecodeMessage(c.message, data, into)
}
