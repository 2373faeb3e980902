// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// maxEnvelopeBytes is what an event may be larger than its object.
const maxEnvelopeBytes = 256

// Watch implements source.ListerWatcher.
func (s *httpSource[E, T]) Watch(ctx context.Context, opts metav1.ListOptions) iter.Seq2[source.Event[T], error] {
	opts.Watch = true
	return func(yield func(source.Event[T], error) bool) {
		body, err := s.endpoint.open(ctx, "watch", opts)
		if err != nil {
			yield(source.Event[T]{}, err)
			return
		}
		defer body.Close()
		decoder := s.decoders.take(s.options)
		defer s.decoders.put(decoder)
		events := watchDecoder[E, T]{
			framer:  newFramer(body, s.endpoint.maxObject+maxEnvelopeBytes),
			objects: s.objects(decoder),
		}
		if opts.SendInitialEvents == nil || !*opts.SendInitialEvents {
			events.objects.reuse.held = nil // what changes is not held as it is
		}
		for {
			event, err := events.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if !yield(event, err) || err != nil {
				return
			}
		}
	}
}

// watchDecoder reads one watch, a sequence of JSON objects.
type watchDecoder[E any, T interface {
	*E
	metav1.Object
}] struct {
	*framer
	objects objectDecoder[E, T]
	count   int
	last    int // the length of the last event
}

// next returns the next event, or io.EOF after the last, or the error that ends
// the watch.
func (w *watchDecoder[E, T]) next() (source.Event[T], error) {
	if _, err := w.peek(); err == nil {
		if event, ok := w.direct(); ok {
			w.count++
			return event, nil
		}
	}
	raw, err := w.value()
	if err == nil {
		var event source.Event[T]
		if event, err = w.event(raw); err == nil {
			w.count++
			return event, nil
		}
	}
	if errors.Is(err, ErrTooLarge) {
		err = nameEvent(raw, err)
	}
	if stopped := (stoppedError{}); errors.As(err, &stopped) {
		return source.Event[T]{}, stopped.error
	}
	if !errors.Is(err, io.EOF) {
		err = fmt.Errorf("watch of %s, after %d events: %w", w.objects.resource, w.count, err)
	}
	return source.Event[T]{}, err
}

// plainEvents are how events begin as API servers write them.
var plainEvents = []struct {
	kind  watch.EventType
	begin string
}{
	{watch.Modified, `{"type":"MODIFIED","object":`},
	{watch.Added, `{"type":"ADDED","object":`},
	{watch.Deleted, `{"type":"DELETED","object":`},
}

// direct takes an event that is in the buffer as a whole, plain, and sound.
func (w *watchDecoder[E, T]) direct() (source.Event[T], bool) {
	text := w.pending()
	if len(text) < w.last {
		return source.Event[T]{}, false
	}
	for _, plain := range plainEvents {
		if len(text) <= len(plain.begin) || string(text[:len(plain.begin)]) != plain.begin {
			continue
		}
		item, n, err := w.objects.direct(text[len(plain.begin):])
		end := len(plain.begin) + n
		if err != nil || end >= len(text) || text[end] != '}' || int64(end) >= w.limit {
			break
		}
		w.take(end + 1)
		w.last = end + 1
		return source.Event[T]{Type: plain.kind, Item: item, ResourceVersion: item.Object.GetResourceVersion()}, true
	}
	return source.Event[T]{}, false
}

// event decodes one frame.
func (w *watchDecoder[E, T]) event(raw []byte) (source.Event[T], error) {
	w.last = len(raw)
	if raw[0] != '{' {
		return source.Event[T]{}, fmt.Errorf("%w before byte %d: an event begins with %q", errSyntax, w.offset(), raw[0])
	}
	kind, object, err := splitEvent(raw, w.offset())
	if err != nil {
		return source.Event[T]{}, err
	}
	event := source.Event[T]{Type: kind}
	switch kind {
	case watch.Added, watch.Modified, watch.Deleted:
		event.Item, err = w.objects.whole(object)
		if err == nil && event.Err == nil {
			event.ResourceVersion = event.Object.GetResourceVersion()
		} else if err == nil {
			event.ResourceVersion = identify(object).version()
		}
	case watch.Bookmark:
		event.ResourceVersion, event.InitialEventsEnd, err = readBookmark(object)
		if event.InitialEventsEnd {
			w.objects.reuse.held = nil
		}
	case watch.Error:
		err = stoppedError{streamStatus(object)}
	default:
		err = fmt.Errorf("an event has the unknown type %q", kind)
	}
	if err != nil && kind != watch.Error {
		err = fmt.Errorf("the event before byte %d: %w", w.offset(), err)
	}
	return event, err
}

// splitEvent finds the type and the object in a frame that ends before the byte
// at end of the stream.
func splitEvent(raw []byte, end int64) (kind watch.EventType, object []byte, err error) {
	f := framerOver(raw)
	f.before = end - int64(len(raw))
	_, err = f.members(func(name string) (bool, error) {
		value, err := f.value()
		switch {
		case err != nil:
		case name == "type":
			text := stringOf(value)
			if text == nil {
				return false, fmt.Errorf("the event before byte %d has the type %q", end, value[:min(len(value), 32)])
			}
			kind = watch.EventType(*text)
		case name == "object" && object != nil:
			err = f.syntaxError("an event with two objects")
		case name == "object":
			object = value
		default:
			err = checkSkipped(name, value)
		}
		return true, err
	})
	if err == nil && object == nil {
		err = fmt.Errorf("the event before byte %d has no object", end)
	}
	return kind, object, err
}

// readBookmark reads what a bookmark is for, whatever else its object lacks.
func readBookmark(raw []byte) (resourceVersion string, initialEventsEnd bool, err error) {
	var bookmark struct {
		Metadata struct {
			ResourceVersion string            `json:"resourceVersion"`
			Annotations     map[string]string `json:"annotations"`
		} `json:"metadata"`
	}
	if err := decodeInto(raw, &bookmark); err != nil {
		return "", false, fmt.Errorf("the bookmark cannot be decoded: %w", err)
	}
	meta := bookmark.Metadata
	return meta.ResourceVersion, meta.Annotations[metav1.InitialEventsAnnotationKey] == "true", nil
}

// nameEvent adds to err the name of the object of an event that is there only
// in part, if that part has it.
func nameEvent(part []byte, err error) error {
	f := framerOver(part)
	_, _ = f.members(func(name string) (bool, error) {
		if name == "object" {
			if key, ok := identify(f.buf[f.begin:f.end]).key(); ok {
				err = fmt.Errorf("%s: %w", printable(key), err)
			}
			return false, nil
		}
		_, cut := f.value()
		return cut == nil, cut
	})
	return err
}
