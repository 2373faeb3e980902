// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"
	"errors"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/decode"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var (
	errTable  = errors.New("the server returned a Table, which has no objects; request plain JSON")
	errStatus = errors.New("the server returned 200 with a Status instead of a list")
)

// List implements source.ListerWatcher. It decodes the objects one by one as
// they arrive.
func (s *httpSource[T]) List(
	ctx context.Context, opts metav1.ListOptions, each func(source.Delta[T], error) error,
) (metav1.ListMeta, error) {
	opts.Watch = false
	body, err := s.endpoint.open(ctx, "list", opts)
	if err != nil {
		return metav1.ListMeta{}, err
	}
	defer body.Close()
	objects, done := s.objects(body)
	defer done()
	list := listDecoder[T]{framer: newFramer(body, s.endpoint.maxObject, 0), objects: objects}
	before, pages := s.decoders.held.Load(), int64(0) // pages is the size of the earlier pages
	if opts.Continue != "" {
		pages = before
	}
	body.left = max(0, body.left-pages)
	list.each = func(d source.Delta[T], err error) error {
		objects.codec.Limit(max(before, pages+list.offset()))
		return each(d, err)
	}
	read := list.decode
	if body.protobuf {
		read = list.decodeProtobuf
	}
	meta, err := read()
	if stopped := (stoppedError{}); errors.As(err, &stopped) {
		return metav1.ListMeta{}, stopped.error
	}
	if err != nil {
		err = fmt.Errorf("list of %s, after %d objects: %w", s.endpoint.resource, list.count, list.placed(err))
		return metav1.ListMeta{}, truncate.Error(err)
	}
	s.decoders.held.Store(pages + list.offset())
	if meta.Continue == "" {
		objects.codec.Limit(pages + list.offset())
	}
	return meta, nil
}

// listDecoder reads one list. Its metadata may come before or after the items.
type listDecoder[T metav1.Object] struct {
	*framer
	objects  *objectDecoder[T]
	each     func(source.Delta[T], error) error
	meta     metav1.ListMeta
	kind     itemKind
	listKind string // in protobuf
	items    bool
	count    int
	last     int // the length of the last object
}

func (l *listDecoder[T]) decode() (metav1.ListMeta, error) {
	if c, err := l.peek(); err == nil && c != '{' {
		return l.meta, fmt.Errorf("the response is not a list: it has %q at byte %d instead of a JSON object",
			c, l.offset())
	}
	if err := l.eachMember(l.member); err != nil {
		return l.meta, err
	}
	if !l.items {
		return l.meta, errors.New("the server's answer has no items, so it is not a list")
	}
	return l.meta, l.expectEnd()
}

func (l *listDecoder[T]) member(name string) error {
	if name == "items" {
		return l.allItems()
	}
	raw, err := l.value()
	if err != nil {
		return err
	}
	switch name {
	case "metadata":
		if err := decodeValue(raw, &l.meta); err != nil {
			return fmt.Errorf("the metadata of the list cannot be decoded: %w", err)
		}
		return nil
	case "kind":
		switch kind := stringOf(raw); {
		case kind == nil:
			return fmt.Errorf("the kind of the list is %q", raw[:min(len(raw), 32)])
		case *kind == "Table":
			return errTable
		case *kind == "Status":
			return errStatus
		default:
			l.kind.setKind(*kind)
		}
		return nil
	case "apiVersion":
		if version := stringOf(raw); version != nil {
			l.kind.apiVersion = *version
			return nil
		}
	}
	return checkSkipped(name, raw)
}

func (l *listDecoder[T]) allItems() error {
	if l.items {
		return l.syntaxError("a list with items twice")
	}
	l.items = true
	c, err := l.peek()
	switch {
	case err != nil:
		return unexpectedEnd(err)
	case c == 'n':
		return l.noItems()
	case c != '[':
		return fmt.Errorf("the response is not a list: its items have %q at byte %d instead of a JSON array",
			c, l.offset())
	}
	if decodesItself(l.objects.Type) {
		l.objects.items = &l.kind
	}
	return l.elements(func() error {
		d, err := l.item()
		if err != nil && d.Type == 0 {
			return err
		}
		if err := l.each(d, err); err != nil {
			return stoppedError{err}
		}
		l.count++
		return nil
	})
}

// item reads an object, with the results of decode. Most objects are completely in the buffer and are decoded
// without looking for their end first.
func (l *listDecoder[T]) item() (d source.Delta[T], err error) {
	odd := false
	if text := l.pending(); len(text) >= l.last && l.objects.items == nil {
		d, n, err := l.objects.decodePrefix(text, delta.Replaced)
		if err == nil && int64(n) <= l.limit {
			l.take(n)
			l.last = n
			return d, nil
		}
		odd = err != nil && !errors.Is(err, decode.ErrShort)
	}
	raw, err := l.value()
	if errors.Is(err, ErrObjectTooLarge) {
		err = l.objects.named(err, raw)
	}
	if err != nil {
		return d, err
	}
	l.last = len(raw)
	decodeRaw := l.objects.decode
	if odd {
		decodeRaw = l.objects.decodeByReference
	}
	d, err = decodeRaw(raw, delta.Replaced)
	if err != nil && d.Type == 0 {
		err = fmt.Errorf("the object before byte %d: %w", l.offset(), err)
	}
	return d, err
}

// noItems reads null, which Go writes for a nil slice.
func (l *listDecoder[T]) noItems() error {
	raw, err := l.value()
	if err == nil && string(raw) != "null" {
		err = fmt.Errorf("%w before byte %d: %q", errSyntax, l.offset(), raw[:min(len(raw), 32)])
	}
	return err
}

// checkSkipped checks that an unused value is valid JSON, because otherwise the text after it is
// meaningless.
func checkSkipped(name string, raw []byte) error {
	if !isJSON(raw) {
		name, raw = truncate.Text(name, maxKey), raw[:min(len(raw), 32)]
		return fmt.Errorf("%w: the member %q holds %q", errSyntax, name, raw)
	}
	return nil
}
