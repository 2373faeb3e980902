// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/json"
	"unicode/utf8"
)

// eachMember reads a JSON object. It calls each with the name of every member, and each consumes the
// value.
func (f *framer) eachMember(each func(name string) error) error {
	if err := f.expect('{'); err != nil {
		return err
	}
	for first := true; ; first = false {
		c, err := f.peek()
		if err != nil {
			return unexpectedEnd(err)
		}
		if c == '}' {
			f.begin++
			return nil
		}
		if !first {
			if err := f.expect(','); err != nil {
				return err
			}
		}
		name, err := f.memberName()
		if err != nil {
			return err
		}
		if err := each(name); err != nil {
			return unexpectedEnd(err)
		}
	}
}

func (f *framer) memberName() (string, error) {
	c, err := f.peek()
	if err != nil {
		return "", unexpectedEnd(err)
	}
	if c != '"' {
		return "", f.syntaxError("%q instead of the name of a member", c)
	}
	raw, err := f.value()
	if err != nil {
		return "", err
	}
	name := stringOf(raw)
	if name == nil {
		return "", f.syntaxError("the name of the member before it is malformed")
	}
	return *name, f.expect(':')
}

// elements reads a JSON array. It calls each for every element, which each consumes.
func (f *framer) elements(each func() error) error {
	if err := f.expect('['); err != nil {
		return err
	}
	for first := true; ; first = false {
		c, err := f.peek()
		if err != nil {
			return unexpectedEnd(err)
		}
		if c == ']' {
			f.begin++
			return nil
		}
		if !first {
			if err := f.expect(','); err != nil {
				return err
			}
			if _, err := f.peek(); err != nil {
				return unexpectedEnd(err)
			}
		}
		if err := each(); err != nil {
			return unexpectedEnd(err)
		}
	}
}

// stringOf decodes a JSON string. It returns nil if raw is not a string or not UTF-8.
func stringOf(raw []byte) *string {
	var s *string
	if !utf8.Valid(raw) || json.Unmarshal(raw, &s) != nil {
		return nil
	}
	return s
}
