// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// plainEvents are the usual beginnings of events.
var plainEvents = []struct {
	kind  watch.EventType
	begin string
}{
	{watch.Modified, `{"type":"MODIFIED","object":`},
	{watch.Added, `{"type":"ADDED","object":`},
	{watch.Deleted, `{"type":"DELETED","object":`},
}

// plainEvent decodes the event at the start of text and returns its length. ok is false if the event
// is unusual or incomplete.
func (o *objectDecoder[T]) plainEvent(text []byte) (event source.Event[T], n int, ok bool) {
	for _, plain := range plainEvents {
		if len(text) <= len(plain.begin) || string(text[:len(plain.begin)]) != plain.begin {
			continue
		}
		item, n, err := o.decodePrefix(text[len(plain.begin):])
		end := len(plain.begin) + n
		if err != nil || end >= len(text) || text[end] != '}' {
			break
		}
		version := item.Object.GetResourceVersion()
		return source.Event[T]{Type: plain.kind, Item: item, ResourceVersion: version}, end + 1, true
	}
	return source.Event[T]{}, 0, false
}

// event decodes the event raw. end is the position after it in the stream.
func (o *objectDecoder[T]) event(raw []byte, end int64) (source.Event[T], error) {
	if raw[0] != '{' {
		return source.Event[T]{}, fmt.Errorf("%w before byte %d: an event begins with %q", errSyntax, end, raw[0])
	}
	kind, object, err := splitEvent(raw, end)
	if err != nil {
		return source.Event[T]{}, err
	}
	event, err := o.eventOf(kind, object, object)
	if err != nil && kind != watch.Error {
		err = fmt.Errorf("the event before byte %d: %w", end, err)
	}
	return event, err
}

// eventOf decodes the object of an event. sent is the object with its envelope, if it has one.
func (o *objectDecoder[T]) eventOf(kind watch.EventType, object, sent []byte) (event source.Event[T], err error) {
	event.Type = kind
	switch kind {
	case watch.Added, watch.Modified, watch.Deleted:
		if event.Item, err = o.decode(object); err != nil {
			return event, err
		}
		if event.Err == nil {
			event.ResourceVersion = event.Object.GetResourceVersion()
		} else if id, ok := o.codec.Identify(object); ok {
			event.ResourceVersion = string(id.ResourceVersion)
		}
	case watch.Bookmark:
		var bookmark metav1.PartialObjectMetadata
		if o.fast != nil {
			err = decodeInto(object, &bookmark)
		} else {
			err = bookmark.Unmarshal(object)
		}
		if err != nil {
			return event, fmt.Errorf("the bookmark cannot be decoded: %w", err)
		}
		event.ResourceVersion = bookmark.ResourceVersion
		event.InitialEventsEnd = bookmark.Annotations[metav1.InitialEventsAnnotationKey] == "true"
	case watch.Error:
		return event, stoppedError{truncate.Error(streamStatus(sent))}
	default:
		return event, fmt.Errorf("an event has the unknown type %q", truncate.Text(string(kind), maxKey))
	}
	return event, nil
}

// splitEvent returns the type and the object of the event raw. end is the position after it in the
// stream.
func splitEvent(raw []byte, end int64) (kind watch.EventType, object []byte, err error) {
	f := framerOver(raw)
	f.before = end - int64(len(raw))
	typed := false
	_, err = f.eachMember(func(name string) (bool, error) {
		value, err := f.value()
		switch {
		case err != nil:
		case name == "type" && typed:
			err = f.syntaxError("an event with two types")
		case name == "type":
			typed = true
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
