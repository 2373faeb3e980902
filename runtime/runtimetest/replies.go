// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package runtimetest

import (
	"context"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// ListReply answers one list request, as source.ListerWatcher describes it.
type ListReply[T any] func(
	ctx context.Context, opts metav1.ListOptions, each func(source.Item[T]) error,
) (metav1.ListMeta, error)

// Page is a list, or one page of it if more, the token of the next, is not "".
func Page[T any](resourceVersion, more string, items ...source.Item[T]) ListReply[T] {
	return func(
		_ context.Context, _ metav1.ListOptions, each func(source.Item[T]) error,
	) (metav1.ListMeta, error) {
		for _, item := range items {
			if err := each(item); err != nil {
				return metav1.ListMeta{}, err
			}
		}
		return metav1.ListMeta{ResourceVersion: resourceVersion, Continue: more}, nil
	}
}

// Objects is a whole list.
func Objects[T any](resourceVersion string, objs ...T) ListReply[T] {
	return Page(resourceVersion, "", Items(objs...)...)
}

// Items returns objs as items of a list.
func Items[T any](objs ...T) []source.Item[T] {
	items := make([]source.Item[T], len(objs))
	for i, obj := range objs {
		items[i].Object = obj
	}
	return items
}

// Undecodable is an item whose object could not be decoded. Its key is not known
// either if name is "".
func Undecodable[T any](namespace, name string, err error) source.Item[T] {
	item := source.Item[T]{Err: err}
	if name != "" {
		item.Key = &types.NamespacedName{Namespace: namespace, Name: name}
	}
	return item
}

// ListError is a list that fails with err.
func ListError[T any](err error) ListReply[T] {
	return func(context.Context, metav1.ListOptions, func(source.Item[T]) error) (metav1.ListMeta, error) {
		return metav1.ListMeta{}, err
	}
}

// ListHang is a list without a response until the request is canceled.
func ListHang[T any]() ListReply[T] {
	return func(
		ctx context.Context, _ metav1.ListOptions, _ func(source.Item[T]) error,
	) (metav1.ListMeta, error) {
		<-ctx.Done()
		return metav1.ListMeta{}, ctx.Err() // like HTTP clients, without the cause
	}
}

// WatchReply answers one watch request. It sends events until send returns false, ctx ends or the
// stream ends, and returns the error of the stream.
type WatchReply[T any] func(
	ctx context.Context, opts metav1.ListOptions, send func(source.Event[T]) bool,
) error

// Step is a part of a stream. It reports whether the stream continues, or its error.
type Step[T any] func(ctx context.Context, send func(source.Event[T]) bool) (bool, error)

// Stream is a watch that performs steps and then ends normally.
func Stream[T any](steps ...Step[T]) WatchReply[T] {
	return func(ctx context.Context, _ metav1.ListOptions, send func(source.Event[T]) bool) error {
		for _, step := range steps {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if more, err := step(ctx, send); err != nil || !more {
				return err
			}
		}
		return nil
	}
}

// WatchError is a watch that fails with err.
func WatchError[T any](err error) WatchReply[T] { return Stream(Break[T](err)) }

// Send sends an event.
func Send[T any](e source.Event[T]) Step[T] {
	return func(_ context.Context, send func(source.Event[T]) bool) (bool, error) { return send(e), nil }
}

func sendObject[T metav1.Object](t watch.EventType, obj T) Step[T] {
	item := source.Item[T]{Object: obj}
	return Send(source.Event[T]{Type: t, Item: item, ResourceVersion: obj.GetResourceVersion()})
}

// Added is the event that obj was created.
func Added[T metav1.Object](obj T) Step[T] { return sendObject(watch.Added, obj) }

// Modified is the event that obj was changed.
func Modified[T metav1.Object](obj T) Step[T] { return sendObject(watch.Modified, obj) }

// Deleted is the event that obj was deleted.
func Deleted[T metav1.Object](obj T) Step[T] { return sendObject(watch.Deleted, obj) }

// Bookmark is the event that nothing else has happened up to resourceVersion.
func Bookmark[T any](resourceVersion string) Step[T] {
	return Send(source.Event[T]{Type: watch.Bookmark, ResourceVersion: resourceVersion})
}

// InitialEventsEnd is the bookmark that ends the initial events of a WatchList.
func InitialEventsEnd[T any](resourceVersion string) Step[T] {
	return Send(source.Event[T]{Type: watch.Bookmark, ResourceVersion: resourceVersion, InitialEventsEnd: true})
}

// Sleep lets time pass.
func Sleep[T any](d time.Duration) Step[T] {
	return func(ctx context.Context, _ func(source.Event[T]) bool) (bool, error) {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return true, nil
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
}

// Await waits until c is closed or delivers.
func Await[T any](c <-chan struct{}) Step[T] {
	return func(ctx context.Context, _ func(source.Event[T]) bool) (bool, error) {
		select {
		case <-c:
			return true, nil
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
}

// Hang lasts until the request is canceled.
func Hang[T any]() Step[T] { return Await[T](nil) }

// Break ends the stream with err.
func Break[T any](err error) Step[T] {
	return func(context.Context, func(source.Event[T]) bool) (bool, error) { return false, err }
}
