// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

// Identity names one state of an object. Absent fields are empty. The fields alias the data.
type Identity struct{ Namespace, Name, ResourceVersion []byte }

// Identify reads the identity of an API object. data may end within the object. ok is false if data does
// not begin with the metadata.
func (d *Decoder) Identify(data []byte) (id Identity, ok bool) {
	metadata, ok := d.metadataIn(data)
	d.text, d.pos, d.end = metadata, 0, len(metadata)
	defer func() { d.text = nil }()
	for ok && d.pos < d.end {
		tag, err := d.tag()
		if err != nil {
			return id, len(id.Name) > 0
		}
		value := d.text[d.pos:d.pos]
		if tag&7 == lengthDelimited {
			value, err = d.bytes()
		} else {
			err = d.skipField(tag)
		}
		if err != nil {
			return id, len(id.Name) > 0
		}
		switch tag {
		case 1<<3 | lengthDelimited:
			id.Name = value
		case 3<<3 | lengthDelimited:
			id.Namespace = value
		case 6<<3 | lengthDelimited:
			id.ResourceVersion = value
		}
	}
	return id, ok
}

// metadataIn returns the metadata, which is the first field of an object. It is cut off where data ends.
func (d *Decoder) metadataIn(data []byte) ([]byte, bool) {
	d.text, d.pos, d.end = data, 0, len(data)
	tag, err := d.tag()
	if err != nil || tag != 1<<3|lengthDelimited {
		return nil, false
	}
	n, err := d.varint()
	if err != nil || int(n) < 0 {
		return nil, false
	}
	return data[d.pos:min(len(data), d.pos+min(int(n), len(data)))], true
}
