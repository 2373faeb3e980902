// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// watchWithInitialEvents reads the existing objects and then all changes from one stream (KEP-3157). After the
// final bookmark of the initial events it is a watch like any other. Before, it is an attempt that
// may fail. watchWithInitialEvents returns which of the two the outcome is of.
func (r *Reflector[T]) watchWithInitialEvents(ctx context.Context) (Op, outcome) {
	opts, sends := r.watchOptions(), true
	opts.SendInitialEvents, opts.ResourceVersionMatch = &sends, metav1.ResourceVersionMatchNotOlderThan
	if r.state.listLatest {
		opts.ResourceVersion = ""
	}
	r.reportListing(OpWatchList, opts.ResourceVersion)
	ctx, watchdog := newWatchdog(ctx, r.opts.WatchListStall, errStalledWatchList)
	defer watchdog.stop()
	initial := &initialEvents[T]{&partialList[T]{previousListSize: r.listSize}, watchdog}
	out := r.stream(ctx, opts, initial)
	if initial.arePending() {
		return OpWatchList, out
	}
	return OpWatch, out
}

// handleInitialEvent adds an initial event to initial. With the last one it passes all of them to the sink.
func (r *Reflector[T]) handleInitialEvent(
	ctx context.Context, d source.Delta[T], version string, why error, initial *initialEvents[T], out *outcome,
) error {
	if d.Type == delta.InitialEnd {
		initial.watchdog.retire()
		if err := r.replace(ctx, OpWatchList, initial.list, version); err != nil {
			return err
		}
		initial.list = nil
		out.events, out.olderEventEndsWatch = 1, r.state.resourceVersion != ""
		out.requestedTimeout -= time.Since(out.watchBegan) // the watch begins here
		out.watchBegan = time.Now()
		r.reportAndAdvance(OpWatchList, outcome{})
		r.recordAndReportEvent(Event{Type: EventWatching, Op: OpWatchList, ResourceVersion: version})
		return nil
	}
	dropped := d.Type == delta.Dropped
	isNew := r.addInitialEvent(initial.list, d, why)
	if isNew || dropped {
		initial.watchdog.feed()
	}
	r.status.update(func(s *Stats) {
		switch {
		case dropped:
			s.Dropped++
		case isNew:
			s.Heard = time.Now()
			s.Objects++
		}
	})
	if isNew {
		return r.withinLimit(initial.list)
	}
	return nil
}

// addInitialEvent adds an initial event to list, and reports whether it brought a new object. Changes may come
// among the initial events.
func (r *Reflector[T]) addInitialEvent(list *partialList[T], d source.Delta[T], why error) (isNew bool) {
	if d.Type == delta.Bookmark {
		return false
	}
	switch d = r.checkKeyAndReport(d, why); d.Type {
	case delta.NoKey:
		list.keyless++
		return false
	case delta.Added, delta.Updated:
		d.Type = delta.Replaced
		r.replaceByEqualKnown(&d)
	case delta.Dropped:
		d.Type = delta.Deleted
	}
	return list.mergeWatchListDelta(d)
}
