// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
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
	list := &partialList[T]{last: r.listSize}
	op, out := OpWatchList, outcome{asked: timeout}
	began := time.Now()
	for event, err := range r.src.Watch(watching, opts) {
		switch {
		case err != nil:
		case op == OpWatch:
			end.busy.Store(true)
			err = r.pass(ctx, event, r.state.version != "", &out)
			end.busy.Store(false)
		case event.Type == watch.Bookmark && event.InitialEventsEnd:
			dog.retire()
			end.busy.Store(true)
			err = r.replace(ctx, OpWatchList, list, event.ResourceVersion)
			end.busy.Store(false)
			if err == nil {
				out.events = 1
				out.asked -= time.Since(began) // the watch begins here
				began = time.Now()
				op, _ = r.decide(OpWatchList, outcome{})
				r.watching(OpWatchList, event.ResourceVersion)
			}
		default:
			isNew := false
			if isNew, err = r.addInitial(list, event); isNew {
				r.status.update(func(s *Stats) {
					s.Heard = time.Now()
					s.Objects++
				})
				err = r.withinLimit(list)
			}
			dropped := isDropped(event.Item)
			if dropped {
				r.status.update(func(s *Stats) { s.Dropped++ })
			}
			if isNew || dropped {
				dog.feed()
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

// addInitial adds an initial event to list, and reports whether it brought a new object. Changes may come
// among the initial events.
func (r *Reflector[T]) addInitial(list *partialList[T], event source.Event[T]) (isNew bool, err error) {
	change, err := changeOf(event.Type)
	if err != nil || event.Type == watch.Bookmark {
		return false, err
	}
	if change != delta.Deleted {
		change = delta.Replaced
	}
	d, ok := r.deltaOf(change, event.Item)
	switch {
	case ok:
		return list.set(d), nil
	case change != delta.Deleted:
		list.keyless++
	}
	return false, nil
}
