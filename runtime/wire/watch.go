// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// maxEnvelopeBytes is what an event may be larger than the largest object.
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
			framer:   newFramer(body, s.endpoint.maxObject, maxEnvelopeBytes),
			team:     s.newTeam(body, decoder),
			resource: s.endpoint.resource,
			endless:  body.endless,
		}
		if opts.SendInitialEvents == nil || !*opts.SendInitialEvents {
			events.changing()
		}
		if err := events.all(yield); err != nil {
			yield(source.Event[T]{}, err)
		}
	}
}

// watchDecoder reads one watch, a sequence of JSON objects.
type watchDecoder[E any, T interface {
	*E
	metav1.Object
}] struct {
	*framer
	team     team[E, T]
	resource schema.GroupResource
	endless  func() // lifts the limit of lists
	count    int
	last     int // the length of the last event
}

// changing is called when what comes is no longer what exists: an object that
// changes is not held as it is, and changes come one by one.
func (w *watchDecoder[E, T]) changing() {
	w.team.first.reuse.held = nil
	w.team.size = 1
	w.endless()
}

// all yields all events. It returns what ends the watch other than its end or
// yield.
func (w *watchDecoder[E, T]) all(yield func(source.Event[T], error) bool) error {
	deliver := func(event source.Event[T]) error {
		if event.InitialEventsEnd {
			w.changing()
		}
		w.count++
		if !yield(event, nil) {
			return errEnough
		}
		return nil
	}
	for {
		err := w.next(deliver)
		stopped := stoppedError{}
		switch {
		case err == nil, errors.Is(err, errStretchEnds):
		case errors.As(err, &stopped):
			return stopped.error
		case errors.Is(err, errEnough), errors.Is(err, io.EOF):
			return nil
		default:
			return truncate.Error(fmt.Errorf("watch of %s, after %d events: %w", w.resource, w.count, w.placed(err)))
		}
	}
}

// errEnough says that nobody wants more events.
var errEnough = errors.New("enough")

// next delivers the next event, or a stretch of them. It returns io.EOF after the
// last.
func (w *watchDecoder[E, T]) next(deliver func(source.Event[T]) error) error {
	if w.team.needed(w.framer) {
		return w.spread(deliver)
	}
	if _, err := w.peek(); err == nil {
		if event, ok := w.direct(); ok {
			return deliver(event)
		}
	}
	raw, err := w.frame()
	if err != nil {
		return err
	}
	w.last = len(raw)
	event, err := w.team.first.event(raw, w.offset())
	if err != nil {
		return err
	}
	return deliver(event)
}

// direct takes an event that is in the buffer as a whole, plain, and sound.
func (w *watchDecoder[E, T]) direct() (source.Event[T], bool) {
	text := w.pending()
	if len(text) < w.last {
		return source.Event[T]{}, false
	}
	event, n, ok := w.team.first.plainEvent(text)
	if !ok || int64(n) > w.limit {
		return source.Event[T]{}, false
	}
	w.take(n)
	w.last = n
	return event, true
}

// frame takes the text of an event, and names its object if it is too large.
func (w *watchDecoder[E, T]) frame() ([]byte, error) {
	raw, err := w.value()
	if errors.Is(err, ErrObjectTooLarge) {
		err = nameEvent(raw, err)
	}
	return raw, err
}

// spread takes a stretch of events that tell of objects that exist, if they come
// next, and has them decoded by the whole team.
func (w *watchDecoder[E, T]) spread(deliver func(source.Event[T]) error) error {
	cut := func() ([]byte, error) {
		raw, err := w.frame()
		if err == nil && !bytes.HasPrefix(raw, []byte(plainAdded)) {
			w.untake(raw)
			return nil, errStretchEnds
		}
		return raw, err
	}
	s := spread[source.Event[T]]{framer: w.framer, cut: cut, deliver: deliver, abandon: w.team.abandon}
	for _, objects := range w.team.all() {
		s.decoders = append(s.decoders, func(raw []byte, end int64) (source.Event[T], error) {
			if event, n, ok := objects.plainEvent(raw); ok && n == len(raw) {
				return event, nil
			}
			return objects.event(raw, end)
		})
	}
	return s.run()
}
