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
	opts, sends := r.watchOptions(), true
	opts.SendInitialEvents, opts.ResourceVersionMatch = &sends, metav1.ResourceVersionMatchNotOlderThan
	if r.state.latest {
		opts.ResourceVersion = ""
	}
	r.listing(OpWatchList, opts.ResourceVersion)
	ctx, dog := newWatchdog(ctx, r.opts.WatchListStall, errStalledWatchList)
	defer dog.stop()
	initial := &initialEvents[T]{&partialList[T]{last: r.listSize}, dog}
	out := r.stream(ctx, opts, initial)
	if initial.arePending() {
		return OpWatchList, out
	}
	return OpWatch, out
}

// addInitial adds an initial event to initial. With the last one it passes all of them to the sink.
func (r *Reflector[T]) addInitial(
	ctx context.Context, event source.Event[T], initial *initialEvents[T], out *outcome,
) error {
	if event.Type == watch.Bookmark && event.InitialEventsEnd {
		initial.dog.retire()
		if err := r.replace(ctx, OpWatchList, initial.list, event.ResourceVersion); err != nil {
			return err
		}
		initial.list = nil
		out.events, out.ordered = 1, r.state.version != ""
		out.asked -= time.Since(out.began) // the watch begins here
		out.began = time.Now()
		r.decide(OpWatchList, outcome{})
		r.watching(OpWatchList, event.ResourceVersion)
		return nil
	}
	isNew, err := r.setInitial(initial.list, event)
	dropped := isDropped(event.Item)
	if isNew || dropped {
		initial.dog.feed()
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
		err = r.withinLimit(initial.list)
	}
	return err
}

// setInitial adds an initial event to list, and reports whether it brought a new object. Changes may come
// among the initial events.
func (r *Reflector[T]) setInitial(list *partialList[T], event source.Event[T]) (isNew bool, err error) {
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
