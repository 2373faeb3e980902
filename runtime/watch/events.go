// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// ErrGap is the last error of Events if changes after the last event were lost. It wraps the
// reason, such as an error that apierrors.IsResourceExpired recognizes.
var ErrGap = errors.New("the watch cannot continue after the last event: " +
	"start again without a resourceVersion")

// Options are the options of a reflector. Events sets NoRelist and Known itself.
type Options[T any] = reflector.Options[T]

// Events yields the existing objects and then every change. If opts.ResourceVersion is set,
// it yields the changes after that version only. It ends when ctx ends, when the loop is
// left, or when changes were lost. Unless the loop is left, the last pair has no event and
// an error: the cause of ctx, or ErrGap. Each range statement starts a watch of its own.
// The caller owns the objects.
func Events[T metav1.Object](
	ctx context.Context, src source.Source[T], opts Options[T],
) iter.Seq2[source.Event[T], error] {
	return func(yield func(source.Event[T], error) bool) {
		reading, stop := context.WithCancel(ctx)
		defer stop()
		s := &stream[T]{yield: yield, stop: stop}
		opts := opts
		opts.NoRelist, opts.Known = true, nil
		onEvent := opts.OnEvent
		opts.OnEvent = func(e reflector.Event) {
			if e.Type == reflector.EventFailed && e.Op == reflector.OpDecode {
				s.why = e.Err
			}
			if onEvent != nil {
				onEvent(e)
			}
		}
		reads := reflector.New(src, s, opts)
		reads.Run(reading)
		switch {
		case s.left:
		case ctx.Err() != nil:
			yield(source.Event[T]{}, context.Cause(ctx))
		default:
			yield(source.Event[T]{}, fmt.Errorf("%w: %w", ErrGap, reads.Stats().LastError))
		}
	}
}

// errLeft stops the reflector after the loop was left.
var errLeft = errors.New("the loop was left")

// stream is the reflector's sink. It yields each event to the loop.
type stream[T any] struct {
	yield func(source.Event[T], error) bool
	stop  context.CancelFunc
	left  bool  // the loop was left
	why   error // why the object that Push passes next could not be decoded
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
	_ context.Context, d delta.Delta[types.NamespacedName, T], resourceVersion string,
) error {
	e := source.Event[T]{
		Type: watch.Modified, Item: source.Item[T]{Object: d.Object}, ResourceVersion: resourceVersion,
	}
	switch d.Type {
	case delta.Added:
		e.Type = watch.Added
	case delta.Deleted:
		e.Type = watch.Deleted
	}
	if d.NoObject {
		e.Item = source.Item[T]{Key: &d.Key, Err: cmp.Or(s.why, source.ErrDrop)}
		s.why = nil
	}
	return s.event(e)
}

// Replace implements reflector.Sink. It is called at most once, with the existing objects.
func (s *stream[T]) Replace(_ context.Context, list delta.Batch[types.NamespacedName, T]) error {
	for _, d := range list.Deltas {
		item := source.Item[T]{Object: d.Object}
		switch d.Type {
		case delta.Kept:
			continue
		case delta.Stale:
			key := d.Key // a copy, because &d.Key would allocate for every delta
			item = source.Item[T]{Key: &key, Err: truncate.Error(fmt.Errorf("%s could not be decoded", key))}
		}
		if err := s.event(source.Event[T]{Type: watch.Added, Item: item}); err != nil {
			return err
		}
	}
	return s.event(source.Event[T]{
		Type: watch.Bookmark, ResourceVersion: list.ResourceVersion, InitialEventsEnd: true,
	})
}

// Bookmark implements reflector.Sink.
func (s *stream[T]) Bookmark(resourceVersion string) error {
	return s.event(source.Event[T]{Type: watch.Bookmark, ResourceVersion: resourceVersion})
}
