// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import "errors"

// Identity names one state of an object. Absent fields are empty. The fields alias the text.
type Identity struct{ Namespace, Name, ResourceVersion []byte }

// errEnough ends a loop early.
var errEnough = errors.New("enough")

// Identify reads the identity of the object at the start of text. It stops at the end of the metadata.
// ok is false if it does not get there. The object may still be invalid.
func (d *Decoder) Identify(text []byte) (id Identity, ok bool) {
	d.begin(text)
	defer func() { d.text = nil }()
	if len(text) == 0 || text[0] != '{' {
		return id, false
	}
	err := d.eachMember(func(name []byte) error {
		if string(name) != "metadata" || d.text[d.pos] != '{' {
			return d.skipValue()
		}
		if err := d.eachMember(func(name []byte) error { return d.identifyBy(name, &id) }); err != nil {
			return err
		}
		return errEnough
	})
	return id, errors.Is(err, errEnough)
}

// identifyBy reads the member name of an object's metadata.
func (d *Decoder) identifyBy(name []byte, id *Identity) error {
	var into *[]byte
	switch string(name) {
	case "namespace":
		into = &id.Namespace
	case "name":
		into = &id.Name
	case "resourceVersion":
		into = &id.ResourceVersion
	default:
		return d.skipValue()
	}
	if d.text[d.pos] != '"' {
		return ErrOdd
	}
	start := d.pos + 1
	if err := d.skipString(); err != nil {
		return err
	}
	*into = d.text[start : d.pos-1]
	return nil
}

// eachMember reads the current object. each must read the value of the member.
func (d *Decoder) eachMember(each func(name []byte) error) error {
	more, err := d.open('}')
	for more && err == nil {
		var name []byte
		if name, err = d.name(); err != nil {
			return err
		}
		if err = each(name); err != nil {
			return err
		}
		more, err = d.more('}')
	}
	return err
}

// IdentifyMessage is Identify for an object in protobuf, of which data may be only the beginning.
func (d *Decoder) IdentifyMessage(data []byte) (id Identity, ok bool) {
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

// metadataIn returns the first field of an object, which is its metadata, as far as data has it.
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
