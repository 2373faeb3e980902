// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import "errors"

// Identity is what names one state of an object. The fields are empty if they
// are absent. They are valid as long as the text is.
type Identity struct{ Namespace, Name, ResourceVersion []byte }

// errEnough ends a walk that has found what it was for.
var errEnough = errors.New("enough")

// Identify reads the identity of the object that text begins with, as far as the
// end of the metadata, where it stops. It is ok if it came there. What it says is
// a hint: whether the object is as it should be shows when it is decoded.
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

// identifyBy takes the member name of an object's metadata.
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

// eachMember takes the object at hand; each takes the value of the member.
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
