// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"context"
	"errors"
	"fmt"
	"net"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/features"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/watchlist"

	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// listerWatcher reads objects from a cache.ListerWatcher.
type listerWatcher struct {
	lw      cache.ListerWatcher
	example runtime.Object // nil for objects of any type
}

// sourceOf returns a source that reads through lw.
func sourceOf(lw cache.ListerWatcher, example runtime.Object) source.Source[metav1.Object] {
	if o, ok := lw.(optional); ok {
		src := sourceOf(o.ListerWatcher, example)
		src.Served = o.served
		return src
	}
	return source.Source[metav1.Object]{
		ListerWatcher: &listerWatcher{lw: lw, example: example},
		NoWatchList: !features.FeatureGates().Enabled(features.WatchListClient) ||
			watchlist.DoesClientNotSupportWatchListSemantics(lw),
	}
}

// List implements source.ListerWatcher.
func (s *listerWatcher) List(
	ctx context.Context, opts metav1.ListOptions, each func(source.Delta[metav1.Object], error) error,
) (metav1.ListMeta, error) {
	list, err := cache.ToListerWatcherWithContext(s.lw).ListWithContext(ctx, opts)
	if err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return metav1.ListMeta{}, err
	}
	listed, err := meta.ListAccessor(list)
	if err != nil {
		return metav1.ListMeta{}, fmt.Errorf("the list function returned a %T: %w", list, err)
	}
	// Each object is copied out of the list, shallowly, so that none keeps the list alive.
	err = meta.EachListItemWithAlloc(list, func(obj runtime.Object) error { return each(deltaOf(obj)) })
	return metav1.ListMeta{ResourceVersion: listed.GetResourceVersion(), Continue: listed.GetContinue()}, err
}

// Watch implements source.ListerWatcher.
func (s *listerWatcher) Watch(
	ctx context.Context, opts metav1.ListOptions,
	each func(d source.Delta[metav1.Object], resourceVersion string, err error) error,
) error {
	return source.FromWatch(ctx, func() (watch.Interface, error) {
		w, err := cache.ToListerWatcherWithContext(s.lw).WatchWithContext(ctx, opts)
		if err != nil {
			return nil, refused(err, opts)
		}
		return w, nil
	}, s.objectOf, each)
}

// refused returns err, the error of a watch that did not begin. If it is neither an answer of the server
// nor a failure of the network, it is one of a fake client that does not know WatchLists. The reflector
// then lists at once, as it does when a server refuses.
func refused(err error, opts metav1.ListOptions) error {
	var status apierrors.APIStatus
	var network net.Error
	if opts.SendInitialEvents == nil || errors.As(err, &status) || errors.As(err, &network) {
		return err
	}
	return apierrors.NewBadRequest(err.Error())
}

// objectOf returns the object of an event, or an error if it is not of the type of the example or, if that is
// unstructured, not of its kind.
func (s *listerWatcher) objectOf(obj runtime.Object) (metav1.Object, error) {
	object, ok := obj.(metav1.Object)
	if s.example == nil && ok {
		return object, nil
	}
	if want, got := reflect.TypeOf(s.example), reflect.TypeOf(obj); want != got || !ok {
		return nil, fmt.Errorf("came with a %v instead of a %v", got, want)
	}
	if _, ok := s.example.(runtime.Unstructured); !ok {
		return object, nil
	}
	want, got := s.example.GetObjectKind().GroupVersionKind(), obj.GetObjectKind().GroupVersionKind()
	if !want.Empty() && got != want {
		return nil, fmt.Errorf("came with a %s instead of a %s", got, want)
	}
	return object, nil
}

// deltaOf returns the delta of an object of a list.
func deltaOf(obj runtime.Object) (source.Delta[metav1.Object], error) {
	object, ok := obj.(metav1.Object)
	if !ok {
		return delta.Bare[types.NamespacedName, metav1.Object](delta.NoKey), fmt.Errorf("a %T is not a metav1.Object", obj)
	}
	return source.DeltaOf(delta.Replaced, object)
}
