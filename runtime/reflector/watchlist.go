// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"errors"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// watchList reads the existing objects and then all changes from one stream (KEP-3157). After the
// final bookmark of the initial events it is a watch like any other. Before, it is an attempt that
// may fail.
func (r *Reflector[T]) watchList(ctx context.Context) (Op, error) {
	opts, timeout := r.watchOptions()
	initial := true
	opts.SendInitialEvents = &initial
	opts.ResourceVersionMatch = metav1.ResourceVersionMatchNotOlderThan
	if r.latest {
		opts.ResourceVersion = ""
	}
	r.listing(OpWatchList, opts.ResourceVersion)
	watching, end := newDeadline(ctx, timeout)
	defer end.stop()
	watching, dog := r.watchdog(watching, OpWatchList, r.opts.WatchListStall, errStalledWatchList)
	defer dog.stop()
	var (
		began = time.Now()
		c     collection[T]
		all   bool // the initial events are delivered
		moved bool // changes came after them
		err   error
	)
	for event, failed := range r.src.Watch(watching, opts) {
		switch {
		case failed != nil:
			err = failed
		case all:
			moved = true
			end.busy.Store(true)
			err = r.apply(ctx, event, r.rv != "")
			end.busy.Store(false)
		case event.Type == watch.Bookmark && event.InitialEventsEnd:
			dog.retire()
			end.busy.Store(true)
			err = r.deliver(ctx, OpWatchList, &c, event.ResourceVersion)
			end.busy.Store(false)
			if err == nil {
				all, c = true, collection[T]{}
				r.attempts, r.misses = 0, 0
				r.watching(event.ResourceVersion)
			}
		default:
			var progress bool
			if progress, err = r.collect(&c, event); progress {
				dog.feed()
				r.did.object()
				err = r.withinLimit(&c)
			}
		}
		if err != nil {
			break
		}
	}
	if watching.Err() != nil {
		err = context.Cause(watching)
	}
	if all && ctx.Err() != nil {
		return OpWatch, err
	}
	if all {
		return OpWatch, r.ended(err, life{
			lasted: time.Since(began), asked: timeout, heard: true, moved: moved, pressed: end.missed.Load(),
		})
	}
	if ctx.Err() != nil {
		return OpWatchList, context.Cause(ctx)
	}
	return OpWatchList, r.missed(err, opts.ResourceVersion)
}

// collect adds an initial event to c, and reports whether it brought a new object. Changes may come
// among the initial events.
func (r *Reflector[T]) collect(c *collection[T], event source.Event[T]) (progress bool, err error) {
	if _, err := deltaType(event.Type); err != nil || event.Type == watch.Bookmark {
		return false, err
	}
	e, ok := r.use(event.Item)
	switch {
	case ok:
		e.gone = event.Type == watch.Deleted
		return c.set(r.held(e)), nil
	case event.Type != watch.Deleted:
		c.nameless++
	}
	return false, nil
}

// missed handles a failed WatchList. nil means that another request follows at once.
func (r *Reflector[T]) missed(err error, version string) error {
	if err == nil {
		err = ErrNoBookmark
	}
	r.attempts++
	switch v := classify(err); {
	case v == expired, v == tooLarge:
		r.latest = true
		if version == "" {
			return err
		}
	case isRefused(err):
		// A LIST will tell whether the server refuses streaming or every request. An invalid
		// request will also be invalid later.
		r.attempts = r.opts.WatchListAttempts
		defer r.giveUpWatchList(v == invalid, err)
	default:
		if v == unclear && !errors.Is(err, ErrIncomplete) {
			r.misses++
		}
		if r.attempts < r.opts.WatchListAttempts {
			return err
		}
		defer r.giveUpWatchList(false, err)
	}
	r.report(newError(OpWatchList, err))
	return nil
}

// giveUpWatchList falls back to LIST because of err, this time or always. err is nil if the errors that
// led to this were already sent as events.
func (r *Reflector[T]) giveUpWatchList(always bool, err error) {
	r.noWatchList = always
	r.did.noWatchList(always)
	r.event(Event{Type: EventNoWatchList, Op: OpWatchList, Always: always, Err: err})
}
