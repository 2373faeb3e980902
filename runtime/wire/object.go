// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"unicode/utf8"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	"github.com/indexer-gen/indexer-gen/runtime/internal/typemeta"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/decode"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/skip"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	kjson "sigs.k8s.io/json"
)

// errSyntax means that the stream is not JSON. The bytes that follow cannot be used either.
var errSyntax = errors.New("not JSON")

// objectDecoder decodes the objects of one list or watch.
type objectDecoder[T metav1.Object] struct {
	objectType[T]
	resource schema.GroupResource
	codec    codec
	kind     string          // that objects in protobuf must have; "" accepts any
	fast     *decode.Decoder // nil for protobuf
	skip     *skip.Paths
	reuse    reuse[T]
	// spare is an object that was made and not used, if there is one.
	spare    T
	hasSpare bool
	// items has the kind of the list for its items; nil if the items need no kind.
	items *itemKind
}

// decodePrefix decodes the object at the start of data and returns its delta, of type t, and its length. JSON that
// ends within the object is decode.ErrShort. After any other error of JSON the reference decoder must decide.
func (o *objectDecoder[T]) decodePrefix(data []byte, t delta.Type) (d source.Delta[T], n int, err error) {
	defer recoverInto(&err)
	obj := o.spare
	if o.hasSpare {
		o.hasSpare = false
	} else {
		obj = o.create()
	}
	var held any
	before, known := o.reuse.find(o.codec, data)
	if known {
		held = before
	}
	n, same, err := o.codec.decode(data, obj, held)
	var key types.NamespacedName
	switch {
	case err != nil:
	case same:
		key, err = accessor.Key(before)
	default:
		key, err = accessor.Key(obj)
	}
	if err != nil || same {
		reflect.ValueOf(obj).Elem().SetZero()
		o.spare, o.hasSpare = obj, true
	}
	switch {
	case err != nil:
		return d, 0, err
	case same:
		return delta.New(t, key, before), n, nil
	}
	typemeta.Clear(obj)
	return delta.New(t, key, obj), n, nil
}

// decode decodes the object raw. It adds the kind of the list if the object needs a kind and has none. The
// error says why the delta has no object. Without a delta, it makes the stream unusable.
func (o *objectDecoder[T]) decode(raw []byte, t delta.Type) (source.Delta[T], error) {
	if o.fast == nil {
		return o.decodeMessage(raw, t)
	}
	if o.items != nil && isUntyped(raw) {
		raw = o.items.complete(raw)
	}
	if d, n, err := o.decodePrefix(raw, t); err == nil && n == len(raw) {
		return d, nil
	}
	return o.decodeByReference(raw, t)
}

// decodeByReference decodes an object with the reference decoder, because decodePrefix could not. The results are
// those of decode.
func (o *objectDecoder[T]) decodeByReference(raw []byte, t delta.Type) (d source.Delta[T], err error) {
	text := raw
	if o.skip != nil && isJSON(raw) {
		text = decode.Prune(raw, o.skip)
	}
	obj := o.create()
	fault := decodeInto(text, obj)
	var key types.NamespacedName
	if fault == nil {
		key, fault = accessor.Key(obj)
	}
	if fault == nil {
		typemeta.Clear(obj)
		return delta.New(t, key, obj), nil
	}
	if !isJSON(raw) {
		return d, fmt.Errorf("%w: %w", errSyntax, fault)
	}
	if o.items != nil && !o.items.known() && isUntyped(raw) {
		return d, fmt.Errorf("%w: %w", errNoKind, fault)
	}
	return o.failed(raw, t, fault, o.locate(text, fault))
}

// failed returns the delta of the object in data, which cannot be in a cache, with its key if that is known, and the
// error. path leads to the value that cannot be decoded, or is "".
func (o *objectDecoder[T]) failed(data []byte, t delta.Type, fault error, path string) (source.Delta[T], error) {
	d, name := delta.Bare[types.NamespacedName, T](delta.NoKey), "an object whose name cannot be read"
	if key, known := o.keyIn(data); known {
		d, name = source.Unusable[T](t, key), printable(key)
	}
	if path != "" {
		if mismatch := (*json.UnmarshalTypeError)(nil); errors.As(fault, &mismatch) {
			fault = mismatchError{mismatch}
		}
		fault = fmt.Errorf("%s: %w", path, fault)
	}
	return d, truncate.Error(fmt.Errorf("%s %s cannot be decoded: %w", o.resource, name, fault))
}

// keyIn returns the key of the object in data, which may end within the object or be impossible to decode.
func (o *objectDecoder[T]) keyIn(data []byte) (types.NamespacedName, bool) {
	id, ok := o.codec.Identify(data)
	key, known := id.Key()
	return key, ok && known
}

// named adds the name of the object that data begins with to err, if data has it.
func (o *objectDecoder[T]) named(err error, data []byte) error {
	if key, ok := o.keyIn(data); ok {
		return fmt.Errorf("%s: %w", printable(key), err)
	}
	return err
}

// The parts of an error about an object, in bytes. An object may have many MiB, and the
// errors of decoders quote it.
const (
	maxPath = 1024
	maxName = 384 // all of a valid name, with its namespace
	maxKey  = 128 // of a map, on a path
)

// mismatchError is the error that it wraps, without the path, which lacks indexes and map keys.
type mismatchError struct{ *json.UnmarshalTypeError }

func (e mismatchError) Error() string {
	return fmt.Sprintf("a JSON %s does not fit the Go type %s", e.Value, e.Type)
}

func (e mismatchError) Unwrap() error { return e.UnmarshalTypeError }

// printable returns key for an error, without a slash if there is no namespace.
func printable(key types.NamespacedName) string {
	if key.Namespace == "" {
		return truncate.Text(key.Name, maxName)
	}
	return truncate.Text(key.Namespace, maxName/2) + "/" + truncate.Text(key.Name, maxName)
}

// decodeInto decodes like client-go: field names are case-sensitive, and integers without a Go type
// stay integers. A panic of a user's UnmarshalJSON is an error.
func decodeInto[T any](raw []byte, into T) (err error) {
	defer recoverInto(&err)
	if !utf8.Valid(raw) {
		return errors.New("it holds bytes that are not UTF-8")
	}
	if raw[0] != '{' {
		return fmt.Errorf("it is %q instead of a JSON object", raw[:min(len(raw), 32)])
	}
	return decodeValue(raw, into)
}

// recoverInto turns a panic into an error when it is deferred. The panic comes from a user's method:
// UnmarshalJSON, UnmarshalText, or an accessor of metadata.
func recoverInto(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("a method of its type panicked: %v", p)
	}
}

// decodeValue is the reference decoder. Package decode is faster, has the same results, and leaves
// all unusual text to it.
func decodeValue[T any](raw []byte, into T) error {
	return kjson.UnmarshalCaseSensitivePreserveInts(raw, into)
}

// isJSON reports whether raw is JSON that nests no deeper than decodeValue accepts.
func isJSON(raw []byte) bool { return json.Valid(raw) }
