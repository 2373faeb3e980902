// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import "fmt"

// PathTo returns the path, such as .spec.ports[2].port, of the field in data that a Decode failed in, or
// "". It must follow that Decode.
func (d *Decoder) PathTo(m *Message, data []byte) string {
	at := d.pos
	d.text, d.pos, d.end = data, 0, len(data)
	path := m.path(d, at)
	d.text, d.pos = nil, at
	return path
}

func (m *Message) path(d *Decoder, at int) string {
	counts := map[int]int{}
	for d.pos < d.end {
		tag, err := d.tag()
		if err != nil {
			return ""
		}
		f, i := m.find(int32(tag >> 3))
		begin := d.pos
		if d.skipField(tag) == nil && d.pos < at {
			if f != nil {
				counts[i]++
			}
			continue
		}
		if f == nil {
			return ""
		}
		step, within := "", f.plan.message
		switch {
		case f.part != nil:
			within = f.part
		case f.inline:
		case f.plan.repeated && within != nil:
			step = fmt.Sprintf(".%s[%d]", f.name, counts[i])
		default:
			step = "." + string(f.name)
		}
		d.pos = begin
		if within != nil && tag&7 == lengthDelimited {
			if n, err := d.length(); err == nil {
				d.end = d.pos + n
				return step + within.path(d, at)
			}
		}
		return step
	}
	return ""
}
