// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package differential

import (
	"context"
	"errors"
	"io"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// errReset is the error of a stream whose connection was cut.
var errReset = io.ErrUnexpectedEOF

// ourSource is a server as our informer sees it.
type ourSource struct{ s *server }

func (o ourSource) List(
	_ context.Context,
	opts metav1.ListOptions,
	each func(source.Delta[*object], error) error,
) (metav1.ListMeta, error) {
	objs, meta, err := o.s.list(opts)
	if err != nil {
		return metav1.ListMeta{}, err
	}
	for _, obj := range objs {
		if err := each(source.DeltaOf(delta.Replaced, obj)); err != nil {
			return metav1.ListMeta{}, err
		}
	}
	return meta, nil
}

func (o ourSource) Watch(
	ctx context.Context, opts metav1.ListOptions, each func(source.Delta[*object], string, error) error,
) error {
	w, err := o.s.watch(opts)
	if err != nil {
		return err
	}
	defer w.close()
	for {
		event, more, err := w.next(ctx)
		if !more {
			if errors.Is(err, errReset) {
				err = errors.Join(source.ErrCut, err)
			}
			return err
		}
		obj := event.Object.(*object)
		var d source.Delta[*object]
		switch event.Type {
		case watch.Bookmark:
			d = delta.Bare[types.NamespacedName, *object](delta.Bookmark)
			if obj.Annotations[metav1.InitialEventsAnnotationKey] == "true" {
				d.Type = delta.InitialEnd
			}
		case watch.Added:
			d, err = source.DeltaOf(delta.Added, obj)
		case watch.Modified:
			d, err = source.DeltaOf(delta.Updated, obj)
		case watch.Deleted:
			d, err = source.DeltaOf(delta.Deleted, obj)
		}
		if err := each(d, obj.ResourceVersion, err); err != nil {
			return err
		}
	}
}

// ours is our informer.
type ours struct {
	*informer.Informer[*object]
	color store.Index[types.NamespacedName, *object, string]
	ended chan struct{}
}

func newOurs(s *server, streams bool) *ours {
	objects := store.ForObjects[*object]()
	color := store.AddIndex(objects, "color", colors)
	return &ours{
		Informer: informer.New(
			schema.GroupVersionResource{Version: "v1", Resource: "things"},
			source.Source[*object]{ListerWatcher: ourSource{s}, NoWatchList: !streams},
			objects,
		),
		color: color, ended: make(chan struct{}),
	}
}

func (o *ours) run(ctx context.Context) {
	defer close(o.ended)
	if err := o.Run(ctx); err != nil {
		panic(err)
	}
}

// handle adds a handler that records its calls, and returns a function that removes it.
func (o *ours) handle(j *journal, opts ...informer.HandlerOption) (remove func()) {
	return o.AddEventHandler(informer.HandlerFuncs[*object]{
		AddFunc:    j.add,
		UpdateFunc: j.update,
		DeleteFunc: func(t informer.Tombstone[*object]) { j.delete(t.Object, t.LastSeen, t.FinalStateUnknown) },
	}, opts...).Remove
}

func (o *ours) objects() []*object { return slices.Collect(o.Store().Reader().All()) }

func (o *ours) byColor(color string) []*object {
	return slices.Collect(o.color.Get(o.Store().Reader(), color))
}

// colors is the index function of both.
func colors(dst []string, obj *object) []string {
	for _, name := range []string{"color", "other"} {
		if c, ok := obj.Labels[name]; ok && !slices.Contains(dst, c) {
			dst = append(dst, c)
		}
	}
	return dst
}
