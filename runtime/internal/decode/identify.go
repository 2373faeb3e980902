// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import "bytes"

// Identity is what tells one state of an object from all others. The fields are
// empty if they are absent. They are valid as long as the text is.
type Identity struct{ Namespace, Name, UID, ResourceVersion []byte }

// Identify returns the identity of the object that text begins with, and the
// length of its text, under the same terms as Decode.
func (d *Decoder) Identify(text []byte) (id Identity, n int, err error) {
	d.begin(text)
	if len(text) == 0 {
		return id, 0, ErrShort
	}
	if text[0] != '{' {
		return id, 0, ErrOdd
	}
	err = d.identify(&id)
	d.text = nil
	return id, d.pos, err
}

func (d *Decoder) identify(id *Identity) error {
	seen := false
	return d.eachMember(func(name []byte) error {
		if string(name) != "metadata" || d.text[d.pos] != '{' {
			return d.skipValue()
		}
		if seen {
			return ErrOdd
		}
		seen = true
		return d.eachMember(func(name []byte) error {
			var into *[]byte
			switch string(name) {
			case "namespace":
				into = &id.Namespace
			case "name":
				into = &id.Name
			case "uid":
				into = &id.UID
			case "resourceVersion":
				into = &id.ResourceVersion
			}
			if into == nil {
				return d.skipValue()
			}
			start := d.pos
			value, err := d.quoted()
			if err == nil && (*into != nil || bytes.IndexByte(d.text[start:d.pos], '\\') >= 0) {
				err = ErrOdd // there twice, or not valid for long
			}
			*into = value
			return err
		})
	})
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
