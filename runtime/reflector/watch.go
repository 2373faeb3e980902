// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// watch reads changes after the last version.
func (r *Reflector[T]) watch(ctx context.Context) outcome {
	opts, timeout := r.watchOptions()
	r.watching(OpWatch, opts.ResourceVersion)
	watching, end := newDeadline(ctx, timeout)
	defer end.stop()
	out := outcome{asked: timeout}
	began := time.Now()
	for event, err := range r.src.Watch(watching, opts) {
		if err == nil {
			end.busy.Store(true)
			err = r.pass(ctx, event, opts.ResourceVersion != "" && opts.ResourceVersion != "0", &out)
			end.busy.Store(false)
		}
		if out.err = err; err != nil {
			break
		}
	}
	out.lasted = time.Since(began)
	return r.ended(ctx, watching, end, out)
}

// ended returns the outcome of a watch. After that, next decides the step that follows. watching is the
// context of the watch, derived from ctx.
func (r *Reflector[T]) ended(ctx, watching context.Context, end *deadline, out outcome) outcome {
	if watching.Err() != nil {
		out.err = context.Cause(watching)
	}
	if ctx.Err() != nil {
		return out
	}
	out.full = end.missed.Load()
	if v := classify(out.err); out.full && (v == again || v == unclear) && !errors.Is(out.err, ErrBackward) {
		// No failure: we canceled the watch, or the sink was full and we did not read it in time.
		out.err, out.lasted = nil, max(out.lasted, out.asked)
	}
	r.watched(&out)
	switch {
	case out.err != nil:
	case out.lasted < shortWatch:
		out.err = ErrShortWatch
	case r.state.version == "" && out.lasted < r.opts.Backoff.Reset:
		out.err = ErrUnversioned
	}
	return out
}

// watchOptions returns the options of a watch and its timeout.
func (r *Reflector[T]) watchOptions() (metav1.ListOptions, time.Duration) {
	// MaxInt32 is effectively forever, and fits a timer and the server.
	seconds := int64(min(max(1, r.opts.WatchTimeout.Seconds()*(1+rand.Float64())), math.MaxInt32))
	return metav1.ListOptions{
		LabelSelector: r.opts.LabelSelector, FieldSelector: r.opts.FieldSelector,
		ResourceVersion: r.state.version, AllowWatchBookmarks: true, TimeoutSeconds: &seconds,
	}, time.Duration(seconds) * time.Second
}

// pass passes an event to the sink. ordered says that the watch started at a version, so that no
// older event comes.
func (r *Reflector[T]) pass(ctx context.Context, event source.Event[T], ordered bool, out *outcome) error {
	change, err := changeOf(event.Type)
	if err != nil {
		return err
	}
	out.events++
	dropped := event.Type != watch.Deleted && isDropped(event.Item) // which calls foreign methods
	r.status.update(func(s *Stats) {
		s.Heard, s.Failures = time.Now(), 0
		if s.Events[event.Type]++; event.Type == watch.Bookmark {
			s.Bookmarked = s.Heard
		}
		if dropped {
			s.Dropped++
		}
	})
	if event.Type == watch.Bookmark {
		return r.bookmark(event.ResourceVersion)
	}
	version := event.ResourceVersion
	switch {
	case !resourceversion.Older(version, r.state.version):
	case ordered && change != delta.Deleted:
		return ErrBackward
	default:
		// Initial events have no order. A delete may carry the object's previous version, as
		// with client-go's fake clientset.
		version = ""
	}
	d, ok := r.deltaOf(change, event.Item)
	if !ok || d.Type == delta.Kept {
		return r.bookmark(version)
	}
	if err := r.sink.Push(ctx, d, version); err != nil {
		return err
	}
	if version != "" && version != r.state.version {
		out.changed = true
		r.reached(version)
	}
	return nil
}

// bookmark passes a version without a change to the sink.
func (r *Reflector[T]) bookmark(resourceVersion string) error {
	switch {
	case resourceVersion == "":
		return nil
	case resourceversion.Older(resourceVersion, r.state.version):
		return ErrBackward
	}
	if err := r.sink.Bookmark(resourceVersion); err != nil {
		return err
	}
	r.reached(resourceVersion)
	return nil
}
