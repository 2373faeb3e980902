// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// maxEnvelopeBytes bounds the bytes of an event around its object.
const maxEnvelopeBytes = 256

// Watch implements source.ListerWatcher.
func (s *httpSource[T]) Watch(
	ctx context.Context, opts metav1.ListOptions, each func(d source.Delta[T], resourceVersion string, err error) error,
) error {
	opts.Watch = true
	body, err := s.endpoint.open(ctx, "watch", opts)
	if err != nil {
		return err
	}
	defer body.Close()
	objects, done := s.objects(body)
	defer done()
	events := watchDecoder[T]{
		framer:   newFramer(body, s.endpoint.maxObject, maxEnvelopeBytes),
		objects:  objects,
		protobuf: body.protobuf,
		resource: s.endpoint.resource,
		endless:  body.endless,
		held:     &s.decoders.held,
	}
	events.least = events.held.Load()
	if opts.SendInitialEvents == nil || !*opts.SendInitialEvents {
		events.size = events.least
		events.changing()
	}
	return events.all(each)
}

// watchDecoder reads one watch, a sequence of JSON objects.
type watchDecoder[T metav1.Object] struct {
	*framer
	objects  *objectDecoder[T]
	resource schema.GroupResource
	endless  func() // lifts the limit of lists
	count    int
	last     int // the length of the last event
	protobuf bool

	held        *atomic.Int64 // of the source
	size, least int64         // of all objects; least is that of an earlier list, until this one is complete
}

// counts counts the object of an event that takes n bytes of the stream.
func (w *watchDecoder[T]) counts(t delta.Type, n int64) {
	switch t {
	case delta.Added:
		w.size += n
	case delta.Deleted:
		w.size = max(0, w.size-n)
	}
	w.objects.codec.Limit(max(w.size, w.least))
	w.held.Store(max(w.size, w.least))
}

// changing prepares for changes after the initial events. It lifts the size limit of lists, and stops
// the comparison with cached objects if only unchanged ones are of use.
func (w *watchDecoder[T]) changing() {
	if !w.objects.reuse.parts {
		w.objects.reuse.held = nil
	}
	w.least = 0
	w.endless()
}

// all calls each with all events. It returns the error that ends the watch, and nil if the stream ends it.
func (w *watchDecoder[T]) all(each func(d source.Delta[T], resourceVersion string, err error) error) error {
	for {
		begin := w.offset()
		e, err := w.next()
		stopped := stoppedError{}
		switch {
		case err == nil || e.Type != 0:
		case errors.As(err, &stopped):
			return stopped.error
		case errors.Is(err, io.EOF):
			return nil
		default:
			return truncate.Error(fmt.Errorf("watch of %s, after %d events: %w", w.resource, w.count, w.placed(err)))
		}
		if e.Type == delta.InitialEnd {
			w.changing()
		}
		w.count++
		w.counts(e.Type, w.offset()-begin)
		if err := each(e.Delta, e.version, err); err != nil {
			return err
		}
	}
}

// next reads the next event. It returns io.EOF after the last one.
func (w *watchDecoder[T]) next() (event[T], error) {
	if w.protobuf {
		return w.nextProtobuf()
	}
	if _, err := w.peek(); err == nil {
		if e, ok := w.nextBuffered(); ok {
			return e, nil
		}
	}
	raw, err := w.value()
	if errors.Is(err, ErrObjectTooLarge) {
		_, object, _ := bytes.Cut(raw, []byte(`"object":`))
		err = w.objects.named(err, object)
	}
	if err != nil {
		return event[T]{}, err
	}
	w.last = len(raw)
	return w.objects.event(raw, w.offset())
}

// nextBuffered reads the next event from the buffer. It returns false if the buffer does not hold the whole
// event, or if the event needs the general decoder.
func (w *watchDecoder[T]) nextBuffered() (event[T], bool) {
	text := w.pending()
	if len(text) < w.last {
		return event[T]{}, false
	}
	e, n, ok := w.objects.plainEvent(text)
	if !ok || int64(n) > w.limit {
		return event[T]{}, false
	}
	w.take(n)
	w.last = n
	return e, true
}
