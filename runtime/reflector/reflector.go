// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// Sink receives the objects and changes that a reflector reads. An informer has a sink of its own, feed.
// An error of a Sink is retried like an error of the source, unless ctx has ended. *queue.DeltaFIFO implements
// Sink, for loops of your own.
type Sink[T any] interface {
	// Push takes one change. resourceVersion is the position of the source after it, "" if unknown.
	Push(ctx context.Context, d delta.Delta[types.NamespacedName, T], resourceVersion string) error
	// Replace takes a complete list, and owns its Deltas.
	Replace(ctx context.Context, list delta.Batch[types.NamespacedName, T]) error
	// Bookmark takes the position of the source, which has moved without a change.
	Bookmark(resourceVersion string) error
}

// Reflector copies the objects of a source and all their changes to a sink. Call Run once.
type Reflector[T metav1.Object] struct {
	src    source.Source[T]
	sink   Sink[T]
	opts   Options[T]
	status status

	// Used by Run's goroutine.
	state      state
	listSize   int   // objects of the last complete list
	incomplete int   // consecutive lists that failed with ErrIncomplete
	reason     error // why a list would come next: the *Error of the last operation but a resume, or nil
}

// New returns a reflector that reads src into sink.
func New[T metav1.Object](src source.Source[T], sink Sink[T], opts Options[T]) *Reflector[T] {
	opts.Settings = opts.Settings.withDefaults()
	if opts.Known != nil {
		src = src.Reusing(opts.Known)
	}
	known := opts.NoRelist && opts.ResourceVersion != ""
	r := &Reflector[T]{
		src: src, sink: sink, opts: opts,
		state: state{
			rules:   rules{consistent: opts.Consistent, noRelist: opts.NoRelist, backoff: opts.Backoff},
			version: opts.ResourceVersion, unsure: opts.ResourceVersion != "", watchable: known, listed: known,
			noWatchList: opts.NoWatchList || src.NoWatchList,
		},
	}
	r.status.init(r.state.noWatchList)
	return r
}

// Run reads until ctx ends or, with Options.NoRelist, it cannot continue; the LastError of Stats says why.
// It blocks and leaves no goroutine behind.
func (r *Reflector[T]) Run(ctx context.Context) {
	defer r.event(Event{Type: EventEnded})
	for op := r.state.operation(); ctx.Err() == nil; {
		done, out := r.perform(ctx, op)
		if ctx.Err() != nil {
			return
		}
		var wait time.Duration
		if op, wait = r.decide(done, out); op == opNone {
			return
		}
		if wait > 0 {
			r.event(Event{Type: EventWaiting, Op: op, Took: wait})
			ctxsync.Sleep(ctx, wait)
		}
	}
}

// perform makes one request, or all requests of one list. It returns the operation that the outcome
// is of: a WatchList that is complete continues as a watch.
func (r *Reflector[T]) perform(ctx context.Context, op Op) (Op, outcome) {
	switch op {
	case OpResume:
		return op, r.resume(ctx)
	case OpWatch:
		return op, r.watch(ctx)
	case OpList:
		return op, r.list(ctx)
	}
	return r.watchList(ctx)
}

// watch reads changes after the last version.
func (r *Reflector[T]) watch(ctx context.Context) outcome {
	opts := r.watchOptions()
	r.watching(OpWatch, opts.ResourceVersion)
	return r.stream(ctx, opts, nil)
}

// stream reads one stream of the source: changes or, with initial, the initial events and then changes.
func (r *Reflector[T]) stream(ctx context.Context, opts metav1.ListOptions, initial *initialEvents[T]) outcome {
	out := outcome{
		asked: time.Duration(*opts.TimeoutSeconds) * time.Second, began: time.Now(),
		ordered: initial == nil && opts.ResourceVersion != "" && opts.ResourceVersion != "0",
	}
	watching, end := newDeadline(ctx, out.asked)
	defer end.stop()
	for event, err := range r.src.Watch(watching, opts) {
		if err == nil {
			end.busy.Store(true)
			if initial.arePending() {
				err = r.addInitial(ctx, event, initial, &out)
			} else {
				err = r.pass(ctx, event, &out)
			}
			end.busy.Store(false)
		}
		if out.err = err; err != nil {
			break
		}
	}
	out.lasted = time.Since(out.began)
	if watching.Err() != nil {
		out.err = context.Cause(watching)
	}
	if initial.arePending() {
		out.err = cmp.Or(out.err, ErrNoBookmark)
		return out
	}
	return r.ended(ctx, end, out)
}

// initialEvents are the events of a WatchList with the existing objects.
type initialEvents[T any] struct {
	list *partialList[T] // nil when all are in the sink
	dog  *watchdog
}

func (i *initialEvents[T]) arePending() bool { return i != nil && i.list != nil }

// pass passes an event to the sink.
func (r *Reflector[T]) pass(ctx context.Context, event source.Event[T], out *outcome) error {
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
	case out.ordered && change != delta.Deleted:
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

// reached sets the last version read.
func (r *Reflector[T]) reached(resourceVersion string) {
	r.state.version = resourceVersion
	r.status.update(func(s *Stats) { s.ResourceVersion = resourceVersion })
}

// changeOf returns the type of the delta of a watch event, 0 for a bookmark.
func changeOf(t watch.EventType) (delta.Type, error) {
	switch t {
	case watch.Added:
		return delta.Added, nil
	case watch.Modified:
		return delta.Updated, nil
	case watch.Deleted:
		return delta.Deleted, nil
	case watch.Bookmark:
		return 0, nil
	}
	return 0, fmt.Errorf("the source sent an event of the unknown type %q", t)
}

// isDropped reports whether the source leaves the object of an item out.
func isDropped[T any](item source.Item[T]) bool {
	return item.Err != nil && item.Key != nil && errors.Is(item.Err, source.ErrDrop)
}

// deltaOf returns the delta of an item. change is Replaced in a list. An object that cannot be used is
// reported. Without an object, the delta is Stale, Kept or Deleted. ok is false if the key is unknown.
func (r *Reflector[T]) deltaOf(
	change delta.Type, item source.Item[T],
) (d delta.Delta[types.NamespacedName, T], ok bool) {
	if item.Err == nil {
		key, err := r.keyOf(item.Object)
		if err == nil {
			if change == delta.Replaced {
				item.Object = r.cached(key, item.Object)
			}
			return delta.Delta[types.NamespacedName, T]{Type: change, Key: key, Object: item.Object}, true
		}
		item = source.Item[T]{Err: err}
	}
	dropped, kept := isDropped(item), item.Key != nil && errors.Is(item.Err, source.ErrKeep)
	if !dropped && !kept {
		failure := newError(OpDecode, item.Err)
		failure.Key = item.Key
		r.event(Event{Type: EventFailed, Op: OpDecode, Err: failure})
	}
	if item.Key == nil {
		return d, false
	}
	d = delta.Delta[types.NamespacedName, T]{Type: delta.Stale, NoObject: true, Key: *item.Key}
	switch {
	case change == delta.Deleted, dropped:
		d.Type = delta.Deleted
	case kept:
		d.Type = delta.Kept
	}
	return d, true
}

// keyOf returns the key of an object. An object of a fake client may have no name. Only fakes send objects
// without a resourceVersion either, and they have no WatchLists.
func (r *Reflector[T]) keyOf(obj T) (types.NamespacedName, error) {
	key, err := delta.KeyOf(obj)
	switch {
	case errors.Is(err, delta.ErrNilObject):
		err = errors.New("the source returned neither an object nor an error")
	case !errors.Is(err, delta.ErrNoName):
	case r.state.noWatchList && obj.GetResourceVersion() == "":
		err = nil
	default:
		err = fmt.Errorf("the source returned an object without metadata.name in namespace %q", key.Namespace)
	}
	return key, err
}

// cached returns the cached object in place of obj if they are equal. The source may have done so already.
func (r *Reflector[T]) cached(key types.NamespacedName, obj T) T {
	if r.opts.Known != nil {
		if known, ok := r.opts.Known(key); ok && accessor.Unchanged(known, obj) {
			return known
		}
	}
	return obj
}
