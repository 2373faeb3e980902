// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// The reflector lists after maxUnclear unclear failures of watches without an event between them,
// and after maxShort consecutive short watches.
const (
	maxUnclear = 3
	maxShort   = 10
)

// watch reads changes after the last version.
func (r *Reflector[T]) watch(ctx context.Context) error {
	opts, timeout := r.watchOptions()
	r.did.request(OpWatch)
	r.watching(opts.ResourceVersion)
	watching, end := newDeadline(ctx, timeout)
	defer end.stop()
	var (
		began = time.Now()
		heard bool
		err   error
	)
	for event, failed := range r.src.Watch(watching, opts) {
		if err = failed; err == nil {
			heard = true
			end.busy.Store(true)
			err = r.apply(ctx, event, opts.ResourceVersion != "" && opts.ResourceVersion != "0")
			end.busy.Store(false)
		}
		if err != nil {
			break
		}
	}
	if watching.Err() != nil {
		err = context.Cause(watching)
	}
	if ctx.Err() != nil {
		return err
	}
	return r.ended(err, life{
		lasted: time.Since(began), asked: timeout,
		heard: heard, moved: r.rv != opts.ResourceVersion, pressed: end.missed.Load(),
	})
}

// watchOptions returns the options of a watch and its timeout.
func (r *Reflector[T]) watchOptions() (metav1.ListOptions, time.Duration) {
	// MaxInt32 is effectively forever, and fits a timer and the server.
	seconds := int64(min(max(1, r.opts.WatchTimeout.Seconds()*(1+rand.Float64())), math.MaxInt32))
	return metav1.ListOptions{
		LabelSelector: r.opts.LabelSelector, FieldSelector: r.opts.FieldSelector,
		ResourceVersion: r.rv, AllowWatchBookmarks: true, TimeoutSeconds: &seconds,
	}, time.Duration(seconds) * time.Second
}

// deltaType converts the type of a watch event to that of a delta, 0 for a bookmark.
func deltaType(t watch.EventType) (queue.Type, error) {
	switch t {
	case watch.Added:
		return queue.Added, nil
	case watch.Modified:
		return queue.Updated, nil
	case watch.Deleted:
		return queue.Deleted, nil
	case watch.Bookmark:
		return 0, nil
	}
	return 0, fmt.Errorf("the source sent an event of the unknown type %q", t)
}

// apply passes an event to the sink. ordered says that the watch started at a version, so that no
// older event comes.
func (r *Reflector[T]) apply(ctx context.Context, event source.Event[T], ordered bool) error {
	change, err := deltaType(event.Type)
	if err != nil {
		return err
	}
	r.unclear = 0
	r.did.event(event.Type)
	if event.Type == watch.Bookmark {
		return r.bookmark(event.ResourceVersion)
	}
	version := event.ResourceVersion
	switch {
	case !older(version, r.rv):
	case ordered && change != queue.Deleted:
		r.relist(true)
		return ErrBackward
	default:
		// Initial events have no order. A delete may carry the object's previous version, as
		// with client-go's fake clientset.
		version = ""
	}
	e, ok := r.use(event.Item)
	if !ok || e.kept && change != queue.Deleted {
		return r.bookmark(version)
	}
	d := queue.Delta[types.NamespacedName, T]{Type: change, Key: e.key, Object: e.obj, NoObject: !e.usable}
	if !e.usable && d.Type != queue.Deleted {
		d.Type = queue.Stale
	}
	if err := r.sink.Push(ctx, d, version); err != nil {
		return err
	}
	if version != "" {
		r.reached(version)
	}
	return nil
}

func (r *Reflector[T]) bookmark(resourceVersion string) error {
	switch {
	case resourceVersion == "":
		return nil
	case older(resourceVersion, r.rv):
		r.relist(true)
		return ErrBackward
	}
	if err := r.sink.Bookmark(resourceVersion); err != nil {
		return err
	}
	r.reached(resourceVersion)
	return nil
}
