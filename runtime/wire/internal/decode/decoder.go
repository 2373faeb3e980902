// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/intern"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/skip"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/spare"
)

var (
	// ErrShort means that the text ends within the value.
	ErrShort = errors.New("the text ends within a value")
	// ErrOdd means that the value is invalid, or unusual in a way that this package does not support.
	// The reference decoder must decide.
	ErrOdd = errors.New("a value that only the reference decoder can judge")
)

// maxDepth is the limit of nesting, the same as in encoding/json.
const maxDepth = 10_000

// Options configure a Decoder.
type Options struct {
	// Skip has the paths to skip; nil means none.
	Skip *skip.Paths
	// Share makes objects share maps, slices and what pointers point to, if their text is equal.
	Share bool
}

// Decoder decodes objects of any types, one after the other. It caches frequent strings, up to a
// limit, so one Decoder should decode many objects. It must not be used concurrently.
type Decoder struct {
	text  []byte
	pos   int
	depth int
	skip  *skip.Paths // below the current value
	// typeless is set while Match reads the members of an object whose kind was cleared.
	typeless bool

	// plan is the plan of into, the type of the previous object.
	into reflect.Type
	plan plan

	options  Options
	unquoted []byte
	cache    *intern.Cache
	texts    []string
	spares   spare.Pool
	size     int      // of what was decoded, without the text, in bytes
	path     []string // see Path; the last step is first
}

// New returns a Decoder.
func New(options Options) *Decoder { return &Decoder{options: options, cache: intern.New()} }

// Decode decodes the JSON object at the start of text into the object that into points to, and returns
// the length of its text. The object must be zero.
//
// Decode returns ErrShort if text ends within the object, and ErrOdd for any other failure. The object
// may be partly filled then. Without an error, the text is valid JSON, except that it may not be
// UTF-8, and the object is the same as from sigs.k8s.io/json.
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

// Path returns the steps to the value for which the last Decode returned ErrOdd, such as .spec .ports [2].
func (d *Decoder) Path() []string {
	slices.Reverse(d.path)
	return d.path
}

// inMember notes the name of the member from whose value err comes, and returns err.
func (d *Decoder) inMember(name string, err error) error {
	if err == ErrOdd { //nolint:errorlint // it is never wrapped
		d.path = append(d.path, skip.Step{Name: truncate.Text(name, maxName)}.String())
	}
	return err
}

// inElement notes the index of the element from which err comes, and returns err.
func (d *Decoder) inElement(i int, err error) error {
	if err == ErrOdd { //nolint:errorlint // it is never wrapped
		d.path = append(d.path, fmt.Sprintf("[%d]", i))
	}
	return err
}

// maxName is the longest part of a name on a path, in bytes.
const maxName = 128

// planOf returns the plan of t. It is fast if the previous object had the same type.
func (d *Decoder) planOf(t reflect.Type) plan {
	if t != d.into {
		d.into, d.plan = t, planOf(t)
	}
	return d.plan
}

func (d *Decoder) begin(text []byte) {
	d.text, d.pos, d.depth, d.skip, d.path = text, 0, 0, d.options.Skip, nil
}

// raw skips the current value and returns its text.
func (d *Decoder) raw() ([]byte, error) {
	start := d.pos
	err := d.skipValue()
	return d.text[start:d.pos:d.pos], err
}

// Limit sets the size in bytes of all objects that the caller holds, which bounds what d remembers.
func (d *Decoder) Limit(held int64) { d.cache.Limit(held) }
