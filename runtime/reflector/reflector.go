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
)

// Sink receives the objects and changes that a reflector reads. An informer has a sink of its own, feed.
// An error of a Sink is retried like an error of the source, unless ctx has ended. *queue.DeltaFIFO implements
// Sink, for loops of your own.
type Sink[T any] interface {
	// Push takes one change. resourceVersion is the position of the source after it, "" if unknown.
	Push(ctx context.Context, d source.Delta[T], resourceVersion string) error
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
	state                 state
	listSize              int   // objects of the last complete list
	incompleteLists       int   // consecutive lists that failed with errIncomplete
	potentialRelistReason error // why a list would come next: the *Error of the last operation but a resume, or nil
}

// ErrNoListerWatcher says that a source cannot be read itself.
var ErrNoListerWatcher = errors.New("reflector: the source has no ListerWatcher: it is empty, or it has parts, " +
	"such as namespaces or shards; read each part by a reflector of its own")

// New returns a reflector that reads src into sink. New panics with ErrNoListerWatcher if src is empty or has parts.
func New[T metav1.Object](src source.Source[T], sink Sink[T], opts Options[T]) *Reflector[T] {
	if src.ListerWatcher == nil {
		panic(ErrNoListerWatcher) //nolint:forbidigo // a bug of the caller
	}
	opts.Settings = opts.Settings.withDefaults()
	if opts.Known != nil {
		src = src.Reusing(opts.Known)
	}
	known := opts.NoRelist && opts.ResourceVersion != ""
	r := &Reflector[T]{
		src: src, sink: sink, opts: opts,
		state: state{
			stateOptions:    stateOptions{consistentFirstList: opts.Consistent, noRelist: opts.NoRelist, backoff: opts.Backoff},
			resourceVersion: opts.ResourceVersion, serverMayHaveRewound: opts.ResourceVersion != "", watchable: known, firstListDoneOrSkipped: known,
			noWatchList: opts.NoWatchList || src.NoWatchList,
		},
	}
	r.status.stats = Stats{
		Progress: Progress{Doing: EventNone, Since: time.Now()}, NoWatchList: r.state.noWatchList,
		Requests: map[Op]int64{}, WatchEnds: map[string]int64{}, Errors: map[ErrorKind]int64{},
		Events: map[delta.Type]int64{delta.Added: 0, delta.Updated: 0, delta.Deleted: 0, delta.Bookmark: 0},
	}
	return r
}

// Run reads until ctx ends or, with Options.NoRelist, it cannot continue; the LastError of Stats says why.
// It blocks and leaves no goroutine behind.
func (r *Reflector[T]) Run(ctx context.Context) {
	defer r.recordAndReportEvent(Event{Type: EventEnded})
	for op := r.state.operation(); ctx.Err() == nil; {
		done, out := r.perform(ctx, op)
		if r.confirmUnserved(ctx, out.err) {
			out = outcome{unserved: true} // which is no failure
		}
		if ctx.Err() != nil {
			return
		}
		var wait time.Duration
		if op, wait = r.reportAndAdvance(done, out); op == opNone {
			return
		}
		if wait > 0 {
			r.recordAndReportEvent(Event{Type: EventWaiting, Op: op, Took: wait})
			ctxsync.Sleep(ctx, wait)
		}
	}
}

// perform makes one request, or all requests of one list. It returns the operation that the outcome
// is of: a WatchList that is complete continues as a watch.
func (r *Reflector[T]) perform(ctx context.Context, op Op) (Op, outcome) {
	switch op {
	case OpResume:
		return op, r.checkServerVersion(ctx)
	case OpWatch:
		return op, r.watch(ctx)
	case OpList:
		return op, r.list(ctx)
	case OpDiscovery:
		return op, r.clearSinkAndAwaitServed(ctx)
	}
	return r.watchWithInitialEvents(ctx)
}

// watch reads changes after the last version.
func (r *Reflector[T]) watch(ctx context.Context) outcome {
	opts := r.watchOptions()
	r.recordAndReportEvent(Event{Type: EventWatching, Op: OpWatch, ResourceVersion: opts.ResourceVersion})
	return r.stream(ctx, opts, nil)
}

// stream reads one stream of the source: changes or, with initial, the initial events and then changes.
func (r *Reflector[T]) stream(ctx context.Context, opts metav1.ListOptions, initial *initialEvents[T]) outcome {
	out := outcome{
		requestedTimeout: time.Duration(*opts.TimeoutSeconds) * time.Second, watchBegan: time.Now(),
		olderEventEndsWatch: initial == nil && opts.ResourceVersion != "" && opts.ResourceVersion != "0",
	}
	watching, end := newDeadlineWithGrace(ctx, out.requestedTimeout)
	defer end.stop()
	out.err = r.src.Watch(watching, opts, func(d source.Delta[T], version string, why error) error {
		end.sinkBusy.Store(true) // a watch that waits for the sink is not overdue
		defer end.sinkBusy.Store(false)
		if !d.Type.In(delta.Watch) {
			return errors.Join(fmt.Errorf("the watch of the source has a delta of type %v", d.Type), why)
		}
		if initial.arePending() {
			return r.handleInitialEvent(ctx, d, version, why, initial, &out)
		}
		return r.handleWatchEvent(ctx, d, version, why, &out)
	})
	out.watchLasted = time.Since(out.watchBegan)
	if watching.Err() != nil {
		out.err = context.Cause(watching)
	}
	if initial.arePending() {
		out.err = cmp.Or(out.err, ErrNoBookmark)
		return out
	}
	return r.completeAndReportOutcome(ctx, end, out)
}

// initialEvents are the events of a WatchList with the existing objects.
type initialEvents[T any] struct {
	list     *partialList[T] // nil when all are in the sink
	watchdog *watchdog
}

func (i *initialEvents[T]) arePending() bool { return i != nil && i.list != nil }

// handleWatchEvent passes an event to the sink. why says why its object cannot be used.
func (r *Reflector[T]) handleWatchEvent(ctx context.Context, d source.Delta[T], version string, why error, out *outcome) error {
	out.events++
	isBookmark := d.Type == delta.Bookmark || d.Type == delta.InitialEnd
	r.status.update(func(s *Stats) {
		s.Heard, s.Failures = time.Now(), 0
		s.Events[d.Type]++
		if isBookmark {
			s.Bookmarked = s.Heard
		}
		if d.Type == delta.Dropped {
			s.Dropped++
		}
	})
	if isBookmark {
		return r.bookmark(version)
	}
	switch {
	case !resourceversion.Older(version, r.state.resourceVersion):
	case out.olderEventEndsWatch && d.Type != delta.Deleted:
		return errBackward
	default:
		// Initial events have no order. A delete may carry the object's previous version, as
		// with client-go's fake clientset.
		version = ""
	}
	switch d = r.checkKeyAndReport(d, why); d.Type {
	case delta.NoKey:
		return r.bookmark(version)
	case delta.Dropped:
		d.Type = delta.Deleted
	}
	if err := r.sink.Push(ctx, d, version); err != nil {
		return err
	}
	if version != "" && version != r.state.resourceVersion {
		out.newerChangeReceived = true
		r.setStateAndStatsVersion(version)
	}
	return nil
}

// bookmark passes a version without a change to the sink.
func (r *Reflector[T]) bookmark(resourceVersion string) error {
	switch {
	case resourceVersion == "":
		return nil
	case resourceversion.Older(resourceVersion, r.state.resourceVersion):
		return errBackward
	}
	if err := r.sink.Bookmark(resourceVersion); err != nil {
		return err
	}
	r.setStateAndStatsVersion(resourceVersion)
	return nil
}

// setStateAndStatsVersion sets the last version read.
func (r *Reflector[T]) setStateAndStatsVersion(resourceVersion string) {
	r.state.resourceVersion = resourceVersion
	r.status.update(func(s *Stats) { s.ResourceVersion = resourceVersion })
}

// checkKeyAndReport checks the key of d, and reports why its object cannot be used: why, or an error of the key. It
// returns d without an object that has another key, and a NoKey if there is no name. A fake client, which has no
// WatchLists, may send objects without a name. Only a fake sends them without a resourceVersion.
func (r *Reflector[T]) checkKeyAndReport(d source.Delta[T], why error) source.Delta[T] {
	if !d.NoObject && d.Type != delta.NoKey {
		if err := keyMismatchError(d); err != nil {
			d, why = source.Unusable[T](d.Type, d.Key), cmp.Or(why, err)
		}
	}
	if d.Type != delta.NoKey && d.Key.Name == "" &&
		!(r.src.NoWatchList && (d.NoObject || d.Object.GetResourceVersion() == "")) {
		if !d.NoObject {
			why = fmt.Errorf("the source returned an object without metadata.name in namespace %q", d.Key.Namespace)
		}
		d = delta.Bare[types.NamespacedName, T](delta.NoKey)
	}
	if why != nil {
		failure := newError(OpDecode, why)
		if d.Type != delta.NoKey {
			key := d.Key
			failure.Key = &key
		}
		r.recordAndReportEvent(Event{Type: EventFailed, Op: OpDecode, Err: failure})
	}
	return d
}

// keyMismatchError returns an error if the key of d is not that of its object.
func keyMismatchError[T metav1.Object](d source.Delta[T]) error {
	key, err := accessor.Key(d.Object)
	if err == nil && key != d.Key {
		err = fmt.Errorf("the source has object %s under the key %s; it must take the key from the object", key, d.Key)
	}
	return err
}

// replaceByEqualKnown replaces the object of a list by the cached one if they are equal. The source may have done so
// already.
func (r *Reflector[T]) replaceByEqualKnown(d *source.Delta[T]) {
	if r.opts.Known == nil || d.NoObject {
		return
	}
	if known, ok := r.opts.Known(d.Key); ok && accessor.Unchanged(known, d.Object) {
		d.Object = known
	}
}
