// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"errors"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/identity"
)

// errEnough ends a loop early.
var errEnough = errors.New("enough")

// Identify reads the identity of the object at the start of text. It stops at the end of the metadata.
// ok is false if it does not get there. The object may still be invalid.
func (d *Decoder) Identify(text []byte) (id identity.Identity, ok bool) {
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
func (d *Decoder) identifyBy(name []byte, id *identity.Identity) error {
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
	if null, err := d.null(); null || err != nil {
		return err
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
