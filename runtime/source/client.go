// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"errors"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
	"github.com/indexer-gen/indexer-gen/runtime/internal/typemeta"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// Client is implemented by typed clients for one resource with list type L: the clients of
// client-gen, their fakes, and client-go's own.
type Client[L any] interface {
	List(ctx context.Context, opts metav1.ListOptions) (L, error)
	Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error)
}

// FromClient returns a source that reads through c. items returns the objects of a list:
//
//	items := func(l *corev1.PodList) []corev1.Pod { return l.Items }
//	source.FromClient(clientset.CoreV1().Pods("default"), items)
//
// Each object is copied out of its list, shallowly, so that none keeps the list alive. Kind and
// apiVersion are cleared, since servers set them on some objects only.
//
// FromClient recognizes the fake clients of client-gen by their methods and sets NoWatchList. For other
// fakes set it yourself. Events of a recognized fake are deep-copied, since the test has the objects, too. Objects
// of other clients are not.
func FromClient[E any, T objectPointer[E], L metav1.ListInterface](
	c Client[L], items func(L) []E,
) Source[T] {
	return Source[T]{ListerWatcher: &clientSource[E, T, L]{client: c, listItems: items}, NoWatchList: IsFake(c)}
}

// FromPointers is FromClient for lists whose items are pointers. It skips nil items.
func FromPointers[E any, T objectPointer[E], L metav1.ListInterface](
	c Client[L], items func(L) []T,
) Source[T] {
	return FromClient[E, T](c, func(l L) []E {
		pointers := items(l)
		out := make([]E, 0, len(pointers))
		for _, p := range pointers {
			if p != nil {
				out = append(out, *p)
			}
		}
		return out
	})
}

type clientSource[E any, T objectPointer[E], L metav1.ListInterface] struct {
	client    Client[L]
	listItems func(L) []E
}

// List reads one page through the client and copies the objects out of it.
func (s *clientSource[E, T, L]) List(
	ctx context.Context, opts metav1.ListOptions, each func(d Delta[T], err error) error,
) (metav1.ListMeta, error) {
	opts.Watch = false
	list, err := s.client.List(ctx, opts)
	if err != nil {
		return metav1.ListMeta{}, contextCauseOr(ctx, truncate.Error(err))
	}
	objects := s.listItems(list)
	for i := range objects {
		obj := new(E)
		*obj = objects[i]
		d, err := DeltaOf(delta.Replaced, T(obj))
		if err != nil {
			err = fmt.Errorf("object %d of a list: %w", i, err)
		} else {
			typemeta.Clear(T(obj))
		}
		if err := each(d, err); err != nil {
			return metav1.ListMeta{}, err
		}
	}
	return metav1.ListMeta{ResourceVersion: list.GetResourceVersion(), Continue: list.GetContinue()}, nil
}

// Watch runs one watch of the client.
func (s *clientSource[E, T, L]) Watch(
	ctx context.Context, opts metav1.ListOptions, each func(d Delta[T], resourceVersion string, err error) error,
) error {
	opts.Watch = true
	shared := IsFake(s.client)
	return FromWatch(ctx, func() (watch.Interface, error) {
		return s.client.Watch(ctx, opts)
	}, func(obj runtime.Object) (T, error) {
		return eventObjectWithoutTypeMeta[E, T](obj, shared)
	}, each)
}

// FromWatch passes the events of the watch that start starts to each. It is the Watch of a [ListerWatcher] that
// reads through a client. The watch is stopped when FromWatch returns. object returns the object of an event, or
// an error such as "came with a Table".
func FromWatch[T any](
	ctx context.Context, start func() (watch.Interface, error), object func(runtime.Object) (T, error),
	each func(d Delta[T], resourceVersion string, err error) error,
) error {
	w, err := start()
	if err == nil && w == nil {
		err = errors.New("the watch function returned neither a watch nor an error")
	}
	if err != nil {
		return contextCauseOr(ctx, truncate.Error(err))
	}
	defer w.Stop()
	results := w.ResultChan()
	for {
		var event watch.Event
		open := false
		select {
		case <-ctx.Done():
		case event, open = <-results:
		}
		if !open {
			return contextCauseOr(ctx, nil)
		}
		if event.Type == watch.Error {
			return truncate.Error(apierrors.FromObject(event.Object))
		}
		t, known := deltaTypes[event.Type]
		if !known {
			return truncate.Error(fmt.Errorf("a watch event came with the unknown type %q", event.Type))
		}
		d, version, err := decodeEvent(t, event, object)
		if t == delta.Bookmark && err != nil {
			return truncate.Error(err)
		}
		if err := each(d, version, truncate.Error(err)); err != nil {
			return err
		}
	}
}

// deltaTypes are the types of the deltas of watch events.
var deltaTypes = map[watch.EventType]delta.Type{
	watch.Added: delta.Added, watch.Modified: delta.Updated, watch.Deleted: delta.Deleted, watch.Bookmark: delta.Bookmark,
}

// decodeEvent returns the delta of an event, its resourceVersion, and why its object cannot be used.
func decodeEvent[T any](
	t delta.Type, event watch.Event, object func(runtime.Object) (T, error),
) (d Delta[T], resourceVersion string, objectErr error) {
	meta, hasMeta := event.Object.(metav1.Object)
	noKey := delta.Bare[types.NamespacedName, T](delta.NoKey)
	if !hasMeta {
		return noKey, "", fmt.Errorf("a watch event of type %s: a %T has no metadata", event.Type, event.Object)
	}
	key, objectErr := accessor.Key(meta)
	if objectErr != nil {
		return noKey, "", fmt.Errorf("a watch event of type %s: %w", event.Type, objectErr)
	}
	resourceVersion = meta.GetResourceVersion()
	if t == delta.Bookmark {
		if meta.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true" {
			t = delta.InitialEnd
		}
		return delta.Bare[types.NamespacedName, T](t), resourceVersion, nil
	}
	obj, objectErr := object(event.Object)
	switch {
	case objectErr == nil:
		return delta.New(t, key, obj), resourceVersion, nil
	case key.Name == "":
		return noKey, "", fmt.Errorf("a watch event of type %s %w", event.Type, objectErr)
	}
	return Unusable[T](t, key), resourceVersion, fmt.Errorf("%s: a watch event of type %s %w", key, event.Type, objectErr)
}

// contextCauseOr returns the cause of ctx if it has ended, and err otherwise.
func contextCauseOr(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// eventObjectWithoutTypeMeta checks that the object of an event is a T: a fake client may send anything. shared says
// that others may hold the object, too.
func eventObjectWithoutTypeMeta[E any, T objectPointer[E]](sent runtime.Object, shared bool) (T, error) {
	obj, ok := sent.(T)
	if !ok {
		return nil, fmt.Errorf("came with a %T instead of a %T", sent, obj)
	}
	if shared {
		if own, ok := sent.DeepCopyObject().(T); ok {
			obj = own
			typemeta.Clear(obj)
		}
	}
	if typemeta.IsSet(obj) {
		// Another client may share the object, too.
		own := new(E)
		*own = *obj
		obj = own
		typemeta.Clear(obj)
	}
	return obj, nil
}

// objectPointer is the constraint of *E, the type of objects.
type objectPointer[E any] interface {
	*E
	metav1.Object
}

// IsFake reports whether c is a fake client of client-gen, which does not support WatchLists. Other fakes
// are not recognized.
func IsFake(c any) bool {
	// client-go's fake clientsets have this method. The fake client of one resource does not, but embeds
	// the recorder of its clientset, and only recorders have ClearActions.
	if marked, ok := c.(interface{ IsWatchListSemanticsUnSupported() bool }); ok {
		return marked.IsWatchListSemanticsUnSupported()
	}
	_, records := c.(interface{ ClearActions() })
	return records
}
