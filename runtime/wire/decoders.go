// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"sync/atomic"
	"unicode/utf8"

	"github.com/indexer-gen/indexer-gen/runtime/internal/typemeta"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/decode"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/identity"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/protobuf"
)

// decoders keeps the decoders of a source between its lists and watches, with what they cached.
type decoders struct {
	// One of each is enough, because a reflector first lists, then watches.
	json     atomic.Pointer[decode.Decoder]
	protobuf atomic.Pointer[protobuf.Decoder]
	// held estimates the size of all objects of the source, as text: those of the last list, and of the
	// additions and deletions since.
	held atomic.Int64
}

// objects returns the decoder of the objects of one response, and a function to call at the end.
func (s *httpSource[T]) objects(body *response) (o *objectDecoder[T], done func()) {
	o = &objectDecoder[T]{
		resource: s.endpoint.resource, objectType: s.object, skip: s.options.Skip,
		reuse: reuse[T]{held: s.held, parts: body.protobuf},
	}
	if body.protobuf {
		d := s.decoders.protobuf.Swap(nil)
		if d == nil {
			d = protobuf.New(s.options.Skip, s.options.Share)
		}
		o.codec, o.kind = protobufCodec{d, s.message}, s.kind
		return o, func() { s.decoders.protobuf.Store(d) }
	}
	d := s.decoders.json.Swap(nil)
	if d == nil {
		d = decode.New(s.options)
	}
	o.codec, o.fast = jsonCodec{d}, d
	return o, func() { s.decoders.json.Store(d) }
}

// codec decodes objects from one encoding.
type codec interface {
	// Identify reads the identity of the object that data begins with.
	Identify(data []byte) (identity.Identity, bool)
	// decode decodes the object that data begins with and returns its length. held is the object in
	// the cache, or nil. If same is true, the decoded object equals held.
	decode(data []byte, into, held any) (n int, same bool, err error)
	// Limit bounds what the decoder remembers, by the size of all objects of the source.
	Limit(held int64)
}

// jsonCodec decodes JSON that is usual text. It returns decode.ErrShort if the object goes on after
// data, and another error if the reference decoder must judge the object.
type jsonCodec struct{ *decode.Decoder }

func (c jsonCodec) decode(text []byte, into, held any) (n int, same bool, err error) {
	if held != nil {
		n, same = c.Match(text, held, typemeta.Clears(held))
	}
	if !same {
		n, err = c.Decode(text, into)
	}
	if err == nil && !utf8.Valid(text[:n]) {
		err = decode.ErrOdd
	}
	return n, same, err
}

// protobufCodec decodes a message that is all of data.
type protobufCodec struct {
	*protobuf.Decoder
	message *protobuf.Message
}

func (c protobufCodec) decode(data []byte, into, held any) (n int, same bool, err error) {
	same, err = c.Decode(c.message, data, into, held)
	return len(data), same, err
}
