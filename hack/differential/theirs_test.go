// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package differential

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// listerWatcher is a server as client-go's informer sees it.
type listerWatcher struct {
	*cache.ListWatch
	streams bool
}

// IsWatchListSemanticsUnSupported says whether the client knows WatchList.
func (lw listerWatcher) IsWatchListSemanticsUnSupported() bool { return !lw.streams }

func theirSource(s *server, streams bool) cache.ListerWatcher {
	return listerWatcher{streams: streams, ListWatch: &cache.ListWatch{
		ListWithContextFunc: func(_ context.Context, opts metav1.ListOptions) (runtime.Object, error) {
			objs, meta, err := s.list(opts)
			if err != nil {
				return nil, err
			}
			list := &metav1.PartialObjectMetadataList{ListMeta: meta}
			for _, obj := range objs {
				list.Items = append(list.Items, *obj)
			}
			return list, nil
		},
		WatchFuncWithContext: func(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
			w, err := s.watch(opts)
			if err != nil {
				return nil, err
			}
			return pump(ctx, w), nil
		},
	}}
}

// pumped is a stream as a channel.
type pumped struct {
	results chan watch.Event
	cancel  context.CancelFunc
	done    sync.WaitGroup
}

func pump(ctx context.Context, w *stream) *pumped {
	ctx, cancel := context.WithCancel(ctx)
	p := &pumped{results: make(chan watch.Event), cancel: cancel}
	p.done.Go(func() {
		defer close(p.results)
		defer w.close()
		for {
			event, more, err := w.next(ctx)
			if !more {
				if err == nil || ctx.Err() != nil {
					return
				}
				event = watch.Event{Type: watch.Error, Object: statusOf(err)}
			}
			select {
			case p.results <- event:
			case <-ctx.Done():
				return
			}
			if !more {
				return
			}
		}
	})
	return p
}

// statusOf converts an error as client-go's stream decoder does.
func statusOf(err error) runtime.Object {
	if status, ok := errors.AsType[*apierrors.StatusError](err); ok {
		s := status.Status()
		return &s
	}
	return &metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusInternalServerError, Reason: metav1.StatusReasonInternalError,
		Message: "unable to decode an event from the watch stream: " + err.Error(),
		Details: &metav1.StatusDetails{
			Causes: []metav1.StatusCause{{Type: "ClientWatchDecoding", Message: err.Error()}},
		},
	}
}

// Stop implements watch.Interface.
func (p *pumped) Stop() { p.cancel() }

// ResultChan implements watch.Interface.
func (p *pumped) ResultChan() <-chan watch.Event { return p.results }

// theirs is client-go's informer.
type theirs struct {
	cache.SharedIndexInformer
	ended chan struct{}
}

// newTheirs returns an informer that can do resyncs in a period, if that is not 0.
func newTheirs(s *server, streams bool, resync time.Duration) *theirs {
	return &theirs{
		ended: make(chan struct{}),
		SharedIndexInformer: cache.NewSharedIndexInformer(
			theirSource(s, streams),
			&object{},
			resync,
			cache.Indexers{
				"color": func(obj any) ([]string, error) { return colors(nil, obj.(*object)), nil },
			},
		),
	}
}

func (t *theirs) run(ctx context.Context) {
	defer close(t.ended)
	t.RunWithContext(ctx)
}

// handle adds a handler that records its calls, and returns a function that removes it.
func (t *theirs) handle(j *journal, resync time.Duration) (remove func()) {
	reg, err := t.AddEventHandlerWithResyncPeriod(cache.ResourceEventHandlerDetailedFuncs{
		AddFunc:    func(obj any, initial bool) { j.add(obj.(*object), initial) },
		UpdateFunc: func(old, obj any) { j.update(old.(*object), obj.(*object)) },
		DeleteFunc: func(obj any) {
			if unknown, ok := obj.(cache.DeletedFinalStateUnknown); ok {
				j.delete(unknown.Obj.(*object), nil, true)
				return
			}
			j.delete(obj.(*object), nil, false)
		},
	}, resync)
	if err != nil {
		panic(err)
	}
	return func() {
		if err := t.RemoveEventHandler(reg); err != nil {
			panic(err)
		}
	}
}

func (t *theirs) objects() (objs []*object) {
	for _, obj := range t.GetStore().List() {
		objs = append(objs, obj.(*object))
	}
	return objs
}

func (t *theirs) byColor(color string) (objs []*object) {
	all, err := t.GetIndexer().ByIndex("color", color)
	if err != nil {
		panic(err)
	}
	for _, obj := range all {
		objs = append(objs, obj.(*object))
	}
	return objs
}
