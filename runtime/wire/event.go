// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// plainEvents are the usual beginnings of events.
var plainEvents = []struct {
	kind  delta.Type
	begin string
}{
	{delta.Updated, `{"type":"MODIFIED","object":`},
	{delta.Added, `{"type":"ADDED","object":`},
	{delta.Deleted, `{"type":"DELETED","object":`},
}

// An event is a delta with the resourceVersion of its object. The error that comes with it says why the delta has
// no object; if the delta has no type, the error ends the watch.
type event[T any] struct {
	source.Delta[T]
	version string
}

// plainEvent decodes the event at the start of text and returns its length. ok is false if the event
// is unusual or incomplete.
func (o *objectDecoder[T]) plainEvent(text []byte) (e event[T], n int, ok bool) {
	for _, plain := range plainEvents {
		if len(text) <= len(plain.begin) || string(text[:len(plain.begin)]) != plain.begin {
			continue
		}
		d, n, err := o.decodePrefix(text[len(plain.begin):], plain.kind)
		end := len(plain.begin) + n
		if err != nil || end >= len(text) || text[end] != '}' {
			break
		}
		return event[T]{d, d.Object.GetResourceVersion()}, end + 1, true
	}
	return event[T]{}, 0, false
}

// event decodes the event raw. end is the position after it in the stream.
func (o *objectDecoder[T]) event(raw []byte, end int64) (event[T], error) {
	if raw[0] != '{' {
		return event[T]{}, fmt.Errorf("%w before byte %d: an event begins with %q", errSyntax, end, raw[0])
	}
	kind, object, err := splitEvent(raw, end)
	if err != nil {
		return event[T]{}, err
	}
	e, err := o.eventOf(kind, object, object)
	if err != nil && kind != watch.Error && e.Type == 0 {
		err = fmt.Errorf("the event before byte %d: %w", end, err)
	}
	return e, err
}

// eventOf decodes the object of an event. sent is the object with its envelope, if it has one.
func (o *objectDecoder[T]) eventOf(kind watch.EventType, object, sent []byte) (e event[T], err error) {
	t := delta.Type(0)
	switch kind {
	case watch.Added:
		t = delta.Added
	case watch.Modified:
		t = delta.Updated
	case watch.Deleted:
		t = delta.Deleted
	case watch.Bookmark:
		return bookmarkOf[T](object, o.fast != nil)
	case watch.Error:
		return e, stoppedError{truncate.Error(streamStatus(sent))}
	default:
		return e, fmt.Errorf("an event has the unknown type %q", truncate.Text(string(kind), maxKey))
	}
	e.Delta, err = o.decode(object, t)
	if !e.NoObject && err == nil {
		e.version = e.Object.GetResourceVersion()
	} else if id, ok := o.codec.Identify(object); ok {
		e.version = string(id.ResourceVersion)
	}
	return e, err
}

// bookmarkOf decodes the object of a bookmark.
func bookmarkOf[T any](object []byte, isText bool) (e event[T], err error) {
	var bookmark metav1.PartialObjectMetadata
	if isText {
		err = decodeInto(object, &bookmark)
	} else {
		err = bookmark.Unmarshal(object)
	}
	if err != nil {
		return e, fmt.Errorf("the bookmark cannot be decoded: %w", err)
	}
	t := delta.Bookmark
	if bookmark.Annotations[metav1.InitialEventsAnnotationKey] == "true" {
		t = delta.InitialEnd
	}
	return event[T]{delta.Bare[types.NamespacedName, T](t), bookmark.ResourceVersion}, nil
}

// splitEvent returns the type and the object of the event raw. end is the position after it in the
// stream.
func splitEvent(raw []byte, end int64) (kind watch.EventType, object []byte, err error) {
	f := framerOver(raw)
	f.before = end - int64(len(raw))
	typed := false
	err = f.eachMember(func(name string) error {
		value, err := f.value()
		switch {
		case err != nil:
		case name == "type" && typed:
			err = f.syntaxError("an event with two types")
		case name == "type":
			typed = true
			text := stringOf(value)
			if text == nil {
				return fmt.Errorf("the event before byte %d has the type %q", end, value[:min(len(value), 32)])
			}
			kind = watch.EventType(*text)
		case name == "object" && object != nil:
			err = f.syntaxError("an event with two objects")
		case name == "object":
			object = value
		default:
			err = checkSkipped(name, value)
		}
		return err
	})
	if err == nil && object == nil {
		err = fmt.Errorf("the event before byte %d has no object", end)
	}
	return kind, object, err
}
