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
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

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
		return causeOr(ctx, truncate.Error(err))
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
			return causeOr(ctx, nil)
		}
		if event.Type == watch.Error {
			return truncate.Error(apierrors.FromObject(event.Object))
		}
		t, known := deltaTypes[event.Type]
		if !known {
			return truncate.Error(fmt.Errorf("a watch event came with the unknown type %q", event.Type))
		}
		d, version, err := deltaOf(t, event, object)
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

// deltaOf returns the delta of an event, its resourceVersion, and why its object cannot be used.
func deltaOf[T any](
	t delta.Type, event watch.Event, object func(runtime.Object) (T, error),
) (d Delta[T], resourceVersion string, err error) {
	meta, hasMeta := event.Object.(metav1.Object)
	noKey := delta.Bare[types.NamespacedName, T](delta.NoKey)
	if !hasMeta {
		return noKey, "", fmt.Errorf("a watch event of type %s: a %T has no metadata", event.Type, event.Object)
	}
	key, err := accessor.Key(meta)
	if err != nil {
		return noKey, "", fmt.Errorf("a watch event of type %s: %w", event.Type, err)
	}
	resourceVersion = meta.GetResourceVersion()
	if t == delta.Bookmark {
		if meta.GetAnnotations()[metav1.InitialEventsAnnotationKey] == "true" {
			t = delta.InitialEnd
		}
		return delta.Bare[types.NamespacedName, T](t), resourceVersion, nil
	}
	obj, err := object(event.Object)
	switch {
	case err == nil:
		return delta.New(t, key, obj), resourceVersion, nil
	case key.Name == "":
		return noKey, "", fmt.Errorf("a watch event of type %s %w", event.Type, err)
	}
	return Unusable[T](t, key), resourceVersion, fmt.Errorf("%s: a watch event of type %s %w", key, event.Type, err)
}

// causeOr returns the cause of ctx if it has ended, and err otherwise.
func causeOr(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}
