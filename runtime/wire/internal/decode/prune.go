// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import "github.com/indexer-gen/indexer-gen/runtime/wire/internal/skip"

// Prune returns valid JSON without the members in p, for decoders that cannot skip.
func Prune(text []byte, p *skip.Paths) []byte {
	d := New(Options{})
	d.begin(text)
	var out []byte
	if _, err := d.at(); err != nil {
		return text
	}
	out, err := d.prune(make([]byte, 0, len(text)), p)
	if err != nil {
		return text
	}
	return append(out, text[d.pos:]...)
}

func (d *Decoder) prune(out []byte, p *skip.Paths) ([]byte, error) {
	if p == nil || d.text[d.pos] != '{' && d.text[d.pos] != '[' {
		raw, err := d.raw()
		return append(out, raw...), err
	}
	opening := d.text[d.pos]
	closing := opening + 2 // their distance in ASCII
	out = append(out, opening)
	more, err := d.open(closing)
	for first := true; more && err == nil; {
		begin := len(out)
		if !first {
			out = append(out, ',')
		}
		below := p.Elements()
		if opening == '{' {
			start := d.pos
			var name []byte
			if name, err = d.name(); err != nil {
				return nil, err
			}
			below = p.Member(name)
			out = append(out, d.text[start:d.pos]...)
		}
		if below.Whole() && opening == '{' {
			err = d.skipValue()
			out = out[:begin]
		} else {
			out, err = d.prune(out, below)
			first = false
		}
		if err != nil {
			return nil, err
		}
		more, err = d.more(closing)
	}
	return append(out, closing), err
}
