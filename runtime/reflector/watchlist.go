// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// watchList reads the existing objects and then all changes from one stream (KEP-3157). After the
// final bookmark of the initial events it is a watch like any other. Before, it is an attempt that
// may fail. watchList returns which of the two the outcome is of.
func (r *Reflector[T]) watchList(ctx context.Context) (Op, outcome) {
	opts, timeout := r.watchOptions()
	initial := true
	opts.SendInitialEvents = &initial
	opts.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
	if r.state.latest {
		opts.ResourceVersion = ""
	}
	r.listing(OpWatchList, opts.ResourceVersion)
	watching, end := newDeadline(ctx, timeout)
	defer end.stop()
	watching, dog := newWatchdog(watching, r.opts.WatchListStall, errStalledWatchList)
	defer dog.stop()
	var c collection[T]
	op, out := OpWatchList, outcome{asked: timeout}
	began := time.Now()
	for event, err := range r.src.Watch(watching, opts) {
		switch {
		case err != nil:
		case op == OpWatch:
			end.busy.Store(true)
			err = r.apply(ctx, event, r.state.version != "", &out)
			end.busy.Store(false)
		case event.Type == watch.Bookmark && event.InitialEventsEnd:
			dog.retire()
			end.busy.Store(true)
			err = r.deliver(ctx, OpWatchList, &c, event.ResourceVersion)
			end.busy.Store(false)
			if err == nil {
				c, out.events = collection[T]{}, 1
				out.asked -= time.Since(began) // the watch begins here
				began = time.Now()
				op, _ = r.decide(OpWatchList, outcome{})
				r.watching(event.ResourceVersion)
			}
		default:
			var progress bool
			if progress, err = r.collect(&c, event); progress {
				dog.feed()
				r.status.update(func(s *Stats) {
					s.Heard = time.Now()
					s.Objects++
				})
				err = r.withinLimit(&c)
			}
		}
		if out.err = err; err != nil {
			break
		}
	}
	out.lasted = time.Since(began)
	if op == OpWatch {
		return op, r.ended(ctx, watching, end, out)
	}
	switch {
	case watching.Err() != nil:
		out.err = context.Cause(watching)
	case out.err == nil:
		out.err = ErrNoBookmark
	}
	return op, out
}

// collect adds an initial event to c, and reports whether it brought a new object. Changes may come
// among the initial events.
func (r *Reflector[T]) collect(c *collection[T], event source.Event[T]) (progress bool, err error) {
	if _, err := deltaType(event.Type); err != nil || event.Type == watch.Bookmark {
		return false, err
	}
	e, ok := r.entryOf(event.Item)
	switch {
	case ok:
		e.gone = event.Type == watch.Deleted
		return c.set(r.reused(e)), nil
	case event.Type != watch.Deleted:
		c.nameless++
	}
	return false, nil
}
