// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import "github.com/indexer-gen/indexer-gen/runtime/wire/internal/identity"

// The numbers of fields in the metadata. Encoders write them in this order.
const (
	nameField            = 1
	namespaceField       = 3
	resourceVersionField = 6
)

// Identify reads the identity of an API object. data may end within the object, or be damaged. ok reports
// whether namespace and name are certain.
func (d *Decoder) Identify(data []byte) (id identity.Identity, ok bool) {
	metadata, ok := d.metadataIn(data)
	certain := false // enough was read to know the key
	d.text, d.pos, d.end = metadata, 0, len(metadata)
	defer func() { d.text = nil }()
	for ok && d.pos < d.end {
		tag, err := d.tag()
		if err != nil {
			return id, certain
		}
		value := d.text[d.pos:d.pos]
		if tag&7 == lengthDelimited {
			value, err = d.bytes()
		} else {
			err = d.skipField(tag)
		}
		if err != nil {
			return id, certain
		}
		switch tag {
		case nameField<<3 | lengthDelimited:
			id.Name = value
		case namespaceField<<3 | lengthDelimited:
			id.Namespace = value
		case resourceVersionField<<3 | lengthDelimited:
			id.ResourceVersion = value
		}
		certain = len(id.Name) > 0 && tag>>3 >= namespaceField
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
