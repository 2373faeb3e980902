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
		t, meta, err := typeOf(event)
		if err != nil {
			return truncate.Error(err)
		}
		d, version, err := deltaOf(t, event, meta, object)
		if t == delta.Bookmark && err != nil {
			return truncate.Error(err)
		}
		if err := each(d, version, truncate.Error(err)); err != nil {
			return err
		}
	}
}

// typeOf returns the type of the delta of an event, and the metadata of its object, if it has any. The error ends
// the watch.
func typeOf(event watch.Event) (t delta.Type, meta metav1.Object, err error) {
	meta, _ = event.Object.(metav1.Object)
	switch event.Type {
	case watch.Added:
		return delta.Added, meta, nil
	case watch.Modified:
		return delta.Updated, meta, nil
	case watch.Deleted:
		return delta.Deleted, meta, nil
	case watch.Bookmark:
		return delta.Bookmark, meta, nil
	case watch.Error:
		return 0, nil, apierrors.FromObject(event.Object)
	}
	return 0, nil, fmt.Errorf("a watch event came with the unknown type %q", event.Type)
}

// deltaOf returns the delta of an event, its resourceVersion, and why its object cannot be used.
func deltaOf[T any](
	t delta.Type, event watch.Event, meta metav1.Object, object func(runtime.Object) (T, error),
) (d Delta[T], resourceVersion string, err error) {
	key, err := types.NamespacedName{}, fmt.Errorf("a %T has no metadata", event.Object)
	if meta != nil {
		key, err = accessor.Key(meta)
	}
	if err != nil {
		return delta.Bare[types.NamespacedName, T](delta.NoKey), "", fmt.Errorf("a watch event of type %s: %w", event.Type, err)
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
		return delta.Bare[types.NamespacedName, T](delta.NoKey), "", fmt.Errorf("a watch event of type %s %w", event.Type, err)
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
