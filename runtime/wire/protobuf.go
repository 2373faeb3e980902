// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/protobuf"
	"k8s.io/apimachinery/pkg/watch"
)

const mediaProtobuf = "application/vnd.kubernetes.protobuf"

// magic precedes each object in protobuf. A runtime.Unknown follows: the kind of the object, and the object.
const magic = "k8s\x00"

var errMessage = errors.New("not protobuf")

// acceptProtobuf prefers protobuf in responses if it can be decoded into the Go type with the field numbers of
// whole, and returns an error if not.
func (s *httpSource[T]) acceptProtobuf(whole reflect.Type) (err error) {
	t := reflect.PointerTo(s.object.Type)
	_, alike := reflect.Zero(t).Interface().(interface{ Unmarshal(data []byte) error })
	if t.Implements(reflect.TypeFor[json.Unmarshaler]()) && !alike {
		return fmt.Errorf("%v decodes itself from JSON", t)
	}
	if s.message, err = protobuf.MessageOf(s.object.Type, whole); err != nil {
		s.message = nil
		return err
	}
	s.endpoint.protobuf = true
	for _, accept := range []*string{&s.endpoint.acceptList, &s.endpoint.acceptWatch} {
		first, _, _ := strings.Cut(*accept, ",")
		*accept = mediaProtobuf + strings.TrimPrefix(first, mediaJSON) + "," + *accept
	}
	return nil
}

// decodeMessage decodes an object that is all of data. The error says why the delta has no object.
func (o *objectDecoder[T]) decodeMessage(data []byte, t delta.Type) (source.Delta[T], error) {
	d, _, err := o.decodePrefix(data, t)
	if err == nil {
		return d, nil
	}
	return o.failed(data, t, err, "")
}

// checkKind returns an error if ProtobufOf names a type of another kind than the server sends.
func (o *objectDecoder[T]) checkKind(kind string) error {
	if o.kind == "" || kind == o.kind {
		return nil
	}
	return fmt.Errorf("the server sends objects of kind %s for %s, and ProtobufOf names a type %s",
		truncate.Text(kind, maxKey), o.resource, o.kind)
}

// more reports whether anything follows.
func (f *framer) more() (bool, error) {
	if f.begin < f.end {
		return true, nil
	}
	err := f.fill()
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	return err == nil, err
}

// need returns the next n bytes without taking them.
func (f *framer) need(n int) ([]byte, error) {
	for f.end-f.begin < n {
		if err := f.fill(); err != nil {
			return nil, unexpectedEnd(err)
		}
	}
	return f.buf[f.begin : f.begin+n], nil
}

// ReadByte implements io.ByteReader.
func (f *framer) ReadByte() (byte, error) {
	b, err := f.chunk(1)
	if err != nil {
		return 0, err
	}
	return b[0], nil
}

// field takes the number of a field that holds bytes, and their length.
func (f *framer) field() (number, size int, err error) {
	tag, err := binary.ReadUvarint(f)
	if err != nil {
		return 0, 0, err
	}
	if tag&7 != 2 {
		return 0, 0, f.messageError("field %d has wire type %d", tag>>3, tag&7)
	}
	n, err := binary.ReadUvarint(f)
	if err == nil && n > math.MaxInt {
		err = f.messageError("a length of %d", n)
	}
	return int(tag >> 3), int(n), err
}

// chunk takes n bytes, which are valid until the next use of f.
func (f *framer) chunk(n int) ([]byte, error) {
	if int64(n) > f.limit {
		return nil, f.tooLarge()
	}
	data, err := f.need(n)
	f.begin += len(data)
	return data, err
}

func (f *framer) tooLarge() error {
	return fmt.Errorf("the value at byte %d is %w (%d bytes); raise it for such objects",
		f.offset(), ErrObjectTooLarge, f.most)
}

func (f *framer) messageError(format string, args ...any) error {
	return fmt.Errorf("%w at byte %d: %s", errMessage, f.offset(), fmt.Sprintf(format, args...))
}

// nextProtobuf takes the next event, which is preceded by its length in four bytes. It returns io.EOF
// after the last.
func (w *watchDecoder[T]) nextProtobuf() (e event[T], err error) {
	if more, err := w.more(); err != nil {
		return e, err
	} else if !more {
		return e, io.EOF
	}
	begin, err := w.need(4)
	if err != nil {
		return e, err
	}
	size := int64(binary.BigEndian.Uint32(begin))
	if size > w.limit {
		return e, w.tooLarge()
	}
	data, err := w.need(int(size) + 4)
	if err != nil {
		return e, err
	}
	e, err = w.objects.messageEvent(data[4:])
	w.take(len(data))
	if stopped := (stoppedError{}); err != nil && e.Type == 0 && !errors.As(err, &stopped) {
		err = fmt.Errorf("the event before byte %d: %w", w.offset(), err)
	}
	return e, err
}

// messageEvent decodes an event: its type, and the object in its own envelope.
func (o *objectDecoder[T]) messageEvent(data []byte) (e event[T], err error) {
	var kind, object, raw, body []byte
	if err := protobuf.Fields(data, &kind, &object); err != nil {
		return e, err
	}
	if err := protobuf.Fields(object, &raw); err != nil {
		return e, err
	}
	unknown, ok := bytes.CutPrefix(raw, []byte(magic))
	if !ok {
		return e, fmt.Errorf("%w: the object begins with %q", errMessage, raw[:min(len(raw), 8)])
	}
	var envelope, sent []byte
	if err := protobuf.Fields(unknown, &envelope, &body); err != nil {
		return e, err
	}
	if err := protobuf.Fields(envelope, nil, &sent); err != nil {
		return e, err
	}
	changed := watch.EventType(kind)
	if changed == watch.Added || changed == watch.Modified || changed == watch.Deleted {
		if err := o.checkKind(string(sent)); err != nil {
			return e, stoppedError{err}
		}
	}
	return o.eventOf(changed, body, raw)
}
