// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/json"
	"unicode/utf8"
)

// eachMember reads a JSON object. It calls each with the name of every member, and each consumes the
// value. eachMember stops if each returns false, and reports whether it reached the end of the object.
func (f *framer) eachMember(each func(name string) (bool, error)) (bool, error) {
	if err := f.expect('{'); err != nil {
		return false, err
	}
	for first := true; ; first = false {
		c, err := f.peek()
		if err != nil {
			return false, unexpectedEnd(err)
		}
		if c == '}' {
			f.begin++
			return true, nil
		}
		if !first {
			if err := f.expect(','); err != nil {
				return false, err
			}
		}
		name, err := f.memberName()
		if err != nil {
			return false, err
		}
		if more, err := each(name); err != nil || !more {
			return false, unexpectedEnd(err)
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

// elements reads a JSON array. It calls each with the index of every element, and each consumes the
// element.
func (f *framer) elements(each func(i int) error) error {
	if err := f.expect('['); err != nil {
		return err
	}
	for i := 0; ; i++ {
		c, err := f.peek()
		if err != nil {
			return unexpectedEnd(err)
		}
		if c == ']' {
			f.begin++
			return nil
		}
		if i > 0 {
			if err := f.expect(','); err != nil {
				return err
			}
			if _, err := f.peek(); err != nil {
				return unexpectedEnd(err)
			}
		}
		if err := each(i); err != nil {
			return unexpectedEnd(err)
		}
	}
}

// members calls each with the members of the JSON object at the start of text until each returns
// false. It reports whether it reached the end of the object.
func members(text []byte, each func(name string, value []byte) bool) bool {
	f := framerOver(text)
	complete, err := f.eachMember(func(name string) (bool, error) {
		value, err := f.value()
		return err == nil && each(name, value), err
	})
	return complete && err == nil
}

// stringOf decodes a JSON string. It returns nil if raw is not a string or not UTF-8.
func stringOf(raw []byte) *string {
	var s *string
	if !utf8.Valid(raw) || json.Unmarshal(raw, &s) != nil {
		return nil
	}
	return s
}
