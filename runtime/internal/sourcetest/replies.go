// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package sourcetest

import (
	"context"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// ListReply answers one list request, as source.ListerWatcher describes it.
type ListReply[T any] func(
	ctx context.Context, opts metav1.ListOptions, each func(d source.Delta[T], err error) error,
) (metav1.ListMeta, error)

// Page is a list, or one page of it if more, the token of the next, is not "".
func Page[T any](resourceVersion, more string, items ...Item[T]) ListReply[T] {
	return func(
		_ context.Context, _ metav1.ListOptions, each func(d source.Delta[T], err error) error,
	) (metav1.ListMeta, error) {
		for _, item := range items {
			if err := each(item.Delta, item.Err); err != nil {
				return metav1.ListMeta{}, err
			}
		}
		return metav1.ListMeta{ResourceVersion: resourceVersion, Continue: more}, nil
	}
}

// Objects is a whole list.
func Objects[T metav1.Object](resourceVersion string, objs ...T) ListReply[T] {
	return Page(resourceVersion, "", Items(objs...)...)
}

// Item is what a source passes of one object, in a list or an event.
type Item[T any] struct {
	source.Delta[T]
	Err error
}

// Of is the item of an object.
func Of[T metav1.Object](t delta.Type, obj T) Item[T] {
	d, err := source.DeltaOf(t, obj)
	return Item[T]{d, err}
}

// Items returns objs as items of a list.
func Items[T metav1.Object](objs ...T) []Item[T] {
	items := make([]Item[T], len(objs))
	for i, obj := range objs {
		items[i] = Of(delta.Replaced, obj)
	}
	return items
}

// Undecodable is an item whose object could not be decoded. Its key is not known
// either if name is "".
func Undecodable[T any](namespace, name string, err error) Item[T] {
	if name == "" {
		return Item[T]{delta.Bare[types.NamespacedName, T](delta.NoKey), err}
	}
	return Item[T]{source.Unusable[T](delta.Stale, types.NamespacedName{Namespace: namespace, Name: name}), err}
}

// ListError is a list that fails with err.
func ListError[T any](err error) ListReply[T] {
	return func(context.Context, metav1.ListOptions, func(source.Delta[T], error) error) (metav1.ListMeta, error) {
		return metav1.ListMeta{}, err
	}
}

// ListHang is a list without a response until the request is canceled.
func ListHang[T any]() ListReply[T] {
	return func(
		ctx context.Context, _ metav1.ListOptions, _ func(source.Delta[T], error) error,
	) (metav1.ListMeta, error) {
		<-ctx.Done()
		return metav1.ListMeta{}, ctx.Err() // like HTTP clients, without the cause
	}
}

// WatchReply answers one watch request, as source.ListerWatcher describes it.
type WatchReply[T any] func(ctx context.Context, opts metav1.ListOptions, send Sender[T]) error

// Sender is the function that a source calls with each event.
type Sender[T any] = func(d source.Delta[T], resourceVersion string, err error) error

// Step is a part of a stream. It returns the error of the stream.
type Step[T any] func(ctx context.Context, send Sender[T]) error

// Stream is a watch that performs steps and then ends normally.
func Stream[T any](steps ...Step[T]) WatchReply[T] {
	return func(ctx context.Context, _ metav1.ListOptions, send Sender[T]) error {
		for _, step := range steps {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := step(ctx, send); err != nil {
				return err
			}
		}
		return nil
	}
}

// WatchError is a watch that fails with err.
func WatchError[T any](err error) WatchReply[T] { return Stream(Break[T](err)) }

// Send sends an event.
func Send[T any](item Item[T], resourceVersion string) Step[T] {
	return func(_ context.Context, send Sender[T]) error { return send(item.Delta, resourceVersion, item.Err) }
}

func sendObject[T metav1.Object](t delta.Type, obj T) Step[T] {
	return Send(Of(t, obj), obj.GetResourceVersion())
}

// Added is the event that obj was created.
func Added[T metav1.Object](obj T) Step[T] { return sendObject(delta.Added, obj) }

// Modified is the event that obj was changed.
func Modified[T metav1.Object](obj T) Step[T] { return sendObject(delta.Updated, obj) }

// Deleted is the event that obj was deleted.
func Deleted[T metav1.Object](obj T) Step[T] { return sendObject(delta.Deleted, obj) }

// Bookmark is the event that nothing else has happened up to resourceVersion.
func Bookmark[T any](resourceVersion string) Step[T] {
	return Send(Item[T]{Delta: delta.Bare[types.NamespacedName, T](delta.Bookmark)}, resourceVersion)
}

// InitialEventsEnd is the bookmark that ends the initial events of a WatchList.
func InitialEventsEnd[T any](resourceVersion string) Step[T] {
	return Send(Item[T]{Delta: delta.Bare[types.NamespacedName, T](delta.InitialEnd)}, resourceVersion)
}

// Sleep lets time pass.
func Sleep[T any](d time.Duration) Step[T] {
	return func(ctx context.Context, _ Sender[T]) error {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Await waits until c is closed or delivers.
func Await[T any](c <-chan struct{}) Step[T] {
	return func(ctx context.Context, _ Sender[T]) error {
		select {
		case <-c:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Hang lasts until the request is canceled.
func Hang[T any]() Step[T] { return Await[T](nil) }

// Break ends the stream with err.
func Break[T any](err error) Step[T] {
	return func(context.Context, Sender[T]) error { return err }
}
