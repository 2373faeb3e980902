// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

// skipValue skips the current value, which must be valid.
func (d *Decoder) skipValue() error {
	switch c := d.text[d.pos]; c {
	case '{':
		return d.skipObject()
	case '[':
		return d.skipArray()
	case '"':
		return d.skipString()
	case 't':
		return d.literal("true")
	case 'f':
		return d.literal("false")
	case 'n':
		return d.literal("null")
	default:
		_, _, err := d.number()
		return err
	}
}

func (d *Decoder) skipObject() error {
	more, err := d.open('}')
	for more && err == nil {
		if err = d.skipName(); err != nil {
			return err
		}
		if err = d.skipValue(); err != nil {
			return err
		}
		more, err = d.more('}')
	}
	return err
}

func (d *Decoder) skipArray() error {
	more, err := d.open(']')
	for more && err == nil {
		if err = d.skipValue(); err != nil {
			return err
		}
		more, err = d.more(']')
	}
	return err
}

// skipName skips a member's name.
func (d *Decoder) skipName() error {
	if d.text[d.pos] != '"' {
		return ErrOdd
	}
	if err := d.skipString(); err != nil {
		return err
	}
	return d.colon()
}

func (d *Decoder) skipString() error {
	i := plainLength(d.text, d.pos+1)
	for i < len(d.text) {
		switch d.text[i] {
		case '"':
			d.pos = i + 1
			return nil
		case '\\':
			if i++; i >= len(d.text) {
				return ErrShort
			}
			if d.text[i] == 'u' {
				if _, err := d.hex(i + 1); err != nil {
					return err
				}
			} else if simpleEscapes[d.text[i]] == 0 {
				return ErrOdd
			}
			i = plainLength(d.text, i+1)
		default:
			return ErrOdd // a control character
		}
	}
	return ErrShort
}
