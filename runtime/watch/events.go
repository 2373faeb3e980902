// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package watch

import (
	"context"
	"errors"
	"fmt"
	"iter"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

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

// Event is one event of a watch: an Added, Updated or Deleted, a Stale for an object that could not be decoded, or
// a Bookmark. An InitialEnd is the Bookmark after the existing objects.
type Event[T any] struct {
	source.Delta[T]
	// ResourceVersion is the position of the watch after the event, "" if unknown.
	ResourceVersion string
	// Err says why the delta has no object, if that was not on purpose.
	Err error
}

// Events yields the existing objects and then every change. If opts.ResourceVersion is set,
// it yields the changes after that version only. It ends when ctx ends, when the loop is
// left, or when changes were lost. Unless the loop is left, the last pair has no event and
// an error: the cause of ctx, or ErrGap. Each range statement starts a watch of its own.
// The caller owns the objects. A source with parts has no events but reflector.ErrNoListerWatcher.
func Events[T metav1.Object](
	ctx context.Context, src source.Source[T], opts Options[T],
) iter.Seq2[Event[T], error] {
	return func(yield func(Event[T], error) bool) {
		if src.ListerWatcher == nil {
			yield(Event[T]{}, reflector.ErrNoListerWatcher)
			return
		}
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
			yield(Event[T]{}, context.Cause(ctx))
		default:
			yield(Event[T]{}, fmt.Errorf("%w: %w", ErrGap, reads.Stats().LastError))
		}
	}
}

// errLeft stops the reflector after the loop was left.
var errLeft = errors.New("the loop was left")

// stream is the reflector's sink. It yields each event to the loop.
type stream[T any] struct {
	yield func(Event[T], error) bool
	stop  context.CancelFunc
	left  bool  // the loop was left
	why   error // why the object that Push passes next could not be decoded
}

func (s *stream[T]) event(d source.Delta[T], resourceVersion string, why error) error {
	if s.left {
		return errLeft
	}
	if !s.yield(Event[T]{d, resourceVersion, why}, nil) {
		s.left = true
		s.stop()
		return errLeft
	}
	return nil
}

// Push implements reflector.Sink.
func (s *stream[T]) Push(_ context.Context, d source.Delta[T], resourceVersion string) error {
	if d.Type == delta.Kept {
		if resourceVersion == "" {
			return nil
		}
		return s.Bookmark(resourceVersion)
	}
	var why error
	if d.NoObject {
		why, s.why = s.why, nil
	}
	return s.event(d, resourceVersion, why)
}

// Replace implements reflector.Sink. It is called at most once, with the existing objects.
func (s *stream[T]) Replace(_ context.Context, list delta.Batch[types.NamespacedName, T]) error {
	for _, d := range list.Deltas {
		var why error
		switch d.Type {
		case delta.Kept:
			continue
		case delta.Stale:
			why = truncate.Error(fmt.Errorf("%s could not be decoded", d.Key))
		case delta.Replaced:
			d.Type = delta.Added
		}
		if err := s.event(d, "", why); err != nil {
			return err
		}
	}
	return s.event(delta.Bare[types.NamespacedName, T](delta.InitialEnd), list.ResourceVersion, nil)
}

// Bookmark implements reflector.Sink.
func (s *stream[T]) Bookmark(resourceVersion string) error {
	return s.event(delta.Bare[types.NamespacedName, T](delta.Bookmark), resourceVersion, nil)
}
