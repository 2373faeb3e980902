// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/internal/decode"
)

// decoders keeps the decoder of a source between its lists and watches, with its cached strings.
type decoders struct {
	mu   sync.Mutex
	free []*decode.Decoder
}

func (p *decoders) take(options decode.Options) *decode.Decoder {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.free); n > 0 {
		d := p.free[n-1]
		p.free = p.free[:n-1]
		return d
	}
	return decode.New(options)
}

// put returns a decoder. One is kept, because a reflector lists first and watches then.
func (p *decoders) put(d *decode.Decoder) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.free) == 0 {
		p.free = append(p.free, d)
	}
}

// objects returns the decoder of the objects of one response.
func (s *httpSource[E, T]) objects(d *decode.Decoder, body *response) *objectDecoder[E, T] {
	o := &objectDecoder[E, T]{
		resource: s.endpoint.resource, codec: jsonCodec{d}, fast: d, skip: s.options.Skip,
		reuse: reuse[T]{held: s.held},
	}
	if body.protobuf {
		o.codec = protobufCodec{d, s.message}
	}
	return o
}
