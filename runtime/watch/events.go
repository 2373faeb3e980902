// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package watch

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// ErrGap ends the events when it is not known what has happened since the last one. It
// comes with the reason, for example one that is apierrors.IsResourceExpired.
var ErrGap = errors.New("the watch cannot go on where it was: begin anew")

// Options are those of a reflector. NoRelist and Known are set by Events.
type Options[T any] = reflector.Options[T]

// Events yields what exists, unless opts.ResourceVersion says where to begin, and then
// every change, until ctx ends, the loop is left, or nobody can say any more what has
// changed. Except when the loop is left, the last pair has an error and no event: the
// cause of ctx, or ErrGap. Each range statement is a watch of its own; objects belong to
// the caller.
func Events[T metav1.Object](
	ctx context.Context, src source.ListerWatcher[T], opts Options[T],
) iter.Seq2[source.Event[T], error] {
	return func(yield func(source.Event[T], error) bool) {
		reading, stop := context.WithCancel(ctx)
		defer stop()
		s := &stream[T]{yield: yield, stop: stop}
		opts := opts
		opts.NoRelist, opts.Known = true, nil
		told := opts.OnError
		opts.OnError = func(err error) {
			s.undecoded(err)
			if told != nil {
				told(err)
			}
		}
		reads := reflector.New(src, s, opts)
		reads.Run(reading)
		switch {
		case s.left:
		case ctx.Err() != nil:
			yield(source.Event[T]{}, context.Cause(ctx))
		default:
			yield(source.Event[T]{}, fmt.Errorf("%w: %w", ErrGap, reads.LastError()))
		}
	}
}

// errLeft is what the reflector gets when the loop has been left.
var errLeft = errors.New("the loop was left")

// stream is the sink of a reflector that yields what it is given.
type stream[T any] struct {
	yield func(source.Event[T], error) bool
	stop  context.CancelFunc
	left  bool  // the loop was
	why   error // the last object could not be decoded
}

// undecoded notes why an object could not be decoded, of which Push, or Replace, is about
// to tell.
func (s *stream[T]) undecoded(err error) {
	var e *reflector.Error
	if errors.As(err, &e) && e.Op == reflector.OpDecode {
		s.why = err
	}
}

func (s *stream[T]) event(e source.Event[T]) error {
	if s.left {
		return errLeft
	}
	if !s.yield(e, nil) {
		s.left = true
		s.stop()
		return errLeft
	}
	return nil
}

// Push implements reflector.Sink.
func (s *stream[T]) Push(
	_ context.Context, d queue.Delta[types.NamespacedName, T], resourceVersion string,
) error {
	e := source.Event[T]{
		Type: watch.Modified, Item: source.Item[T]{Object: d.Object}, ResourceVersion: resourceVersion,
	}
	switch d.Type {
	case queue.Added:
		e.Type = watch.Added
	case queue.Deleted:
		e.Type = watch.Deleted
	}
	if d.NoObject {
		e.Item = source.Item[T]{Key: &d.Key, Err: s.why}
	}
	return s.event(e)
}

// Replace implements reflector.Sink: it comes once at most, with what exists.
func (s *stream[T]) Replace(_ context.Context, r queue.Replacement[types.NamespacedName, T]) error {
	for _, obj := range r.Keyed {
		if err := s.event(source.Event[T]{Type: watch.Added, Item: source.Item[T]{Object: obj}}); err != nil {
			return err
		}
	}
	for _, key := range r.Kept {
		item := source.Item[T]{Key: &key, Err: truncate.Error(fmt.Errorf("%s could not be decoded", key))}
		if err := s.event(source.Event[T]{Type: watch.Added, Item: item}); err != nil {
			return err
		}
	}
	return s.event(source.Event[T]{
		Type: watch.Bookmark, ResourceVersion: r.ResourceVersion, InitialEventsEnd: true,
	})
}

// Bookmark implements reflector.Sink.
func (s *stream[T]) Bookmark(resourceVersion string) error {
	return s.event(source.Event[T]{Type: watch.Bookmark, ResourceVersion: resourceVersion})
}
