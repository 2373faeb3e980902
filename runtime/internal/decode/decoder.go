// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"errors"
	"reflect"
)

var (
	// ErrShort says that the text ended within the value.
	ErrShort = errors.New("the text ends within a value")
	// ErrOdd says that the value is for a slower decoder to judge: it is wrong,
	// or unusual in a way that this package does not deal with.
	ErrOdd = errors.New("a value that only the reference decoder can judge")
)

// maxDepth is how deep values may nest; encoding/json has the same limit.
const maxDepth = 10_000

// Options configure a Decoder.
type Options struct {
	// Skip is what to leave out; nil is nothing.
	Skip *Paths
	// ShareMaps has equal maps of strings be one map.
	ShareMaps bool
}

// Decoder decodes objects of any types, one after the other. It keeps the
// strings that it has met often, up to a bound, so one Decoder should see many
// objects. It is for one goroutine at a time.
type Decoder struct {
	text  []byte
	pos   int
	depth int
	skip  *Paths // below the value that is being decoded
	// typeless is true while the members of an object itself are matched that
	// lacks its kind.
	typeless bool

	// plan is that of the last type that was decoded into.
	into reflect.Type
	plan plan

	options   Options
	unquoted  []byte
	strings   table
	sites     perPlace[site]
	texts     []string
	fields    memo[fieldsV1]
	maps      memo[map[string]string]
	scratches perPlace[[]reflect.Value]
	scratch   int // bytes in scratches
}

// New returns a Decoder.
func New(options Options) *Decoder { return &Decoder{options: options} }

// Decode decodes the JSON object that text begins with into the object that
// into points to, which must be zero, and returns the length of its text.
//
// It returns ErrShort if text ends before the object does, and ErrOdd if it
// could not be decoded for any other reason; the object may be half filled
// then. If it succeeds, the text is well-formed JSON as far as n, the question
// whether it is UTF-8 aside, and the object is what sigs.k8s.io/json makes of it.
//
// Decode panics if an UnmarshalJSON of the object's types does.
func (d *Decoder) Decode(text []byte, into any) (n int, err error) {
	v := reflect.ValueOf(into).Elem()
	d.begin(text)
	if len(text) == 0 {
		return 0, ErrShort
	}
	if text[0] != '{' {
		return 0, ErrOdd
	}
	err = d.planOf(v.Type()).decode(d, v)
	d.text = nil
	return d.pos, err
}

// Offset returns how far the last Decode got in its text. If Decode failed or panicked, it
// failed at the value that holds this offset, ends there or begins there.
func (d *Decoder) Offset() int { return d.pos }

// planOf returns the plan for t; objects of one type come one after the other.
func (d *Decoder) planOf(t reflect.Type) plan {
	if t != d.into {
		d.into, d.plan = t, planOf(t)
	}
	return d.plan
}

func (d *Decoder) begin(text []byte) {
	d.text, d.pos, d.depth, d.skip = text, 0, 0, d.options.Skip
}

// raw takes the value at hand, undecoded.
func (d *Decoder) raw() ([]byte, error) {
	start := d.pos
	err := d.skipValue()
	return d.text[start:d.pos:d.pos], err
}
