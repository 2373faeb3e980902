// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"iter"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
)

// ListerWatcher lists and watches the objects of one resource, in one scope.
//
// It is safe for concurrent use: several lists and watches may run at a time. It does not retry;
// the reflector does. Errors of the API server are apimachinery's *errors.StatusError, so that
// apierrors.IsForbidden, IsResourceExpired and similar functions work on them.
type ListerWatcher[T any] interface {
	// List reads one page of the list that opts describes and calls each with every object, in
	// the order of the server, as soon as it is decoded. Without opts.Limit the page is the whole
	// list. The returned metadata has the list's resourceVersion and the token of the next page.
	//
	// The callee owns the objects. List calls each on the calling goroutine. If each returns an
	// error, List stops and returns that error unchanged. Objects that were passed before an error
	// are valid, but the list is complete only if the error is nil.
	List(ctx context.Context, opts metav1.ListOptions, each func(Item[T]) error) (metav1.ListMeta, error)

	// Watch yields events until the stream ends, ctx ends, or the loop breaks. The watch starts
	// when the loop starts. It has ended, with its connection closed, when the loop is left.
	//
	// A pair with an error has no event and is the last one. The error is the answer of the
	// server, the failure of the stream, or the cause of ctx. If the server ends the stream
	// orderly, there is no error.
	Watch(ctx context.Context, opts metav1.ListOptions) iter.Seq2[Event[T], error]
}

// Item is one object of a list or of an event, or the error of an object that could not be
// decoded.
type Item[T any] struct {
	// Object is set if and only if Err is nil. A bookmark has neither.
	Object T
	// Key is set beside Err if the namespace and name of the object could be read. It is nil
	// otherwise, and whenever Err is nil.
	Key *types.NamespacedName
	// Err says why the object could not be decoded. It names the object and the path within it, as
	// far as they are known. With ErrKeep or ErrDrop, and Key, this state of the object is ignored on
	// purpose; see Map. A deletion then has no final state.
	Err error
}

// Event is one event of a watch.
type Event[T any] struct {
	// Type is watch.Added, watch.Modified, watch.Deleted or watch.Bookmark. It is never
	// watch.Error: errors are the second value of the pair.
	Type watch.EventType
	// Item is the object after the change; for watch.Deleted, its final state. It is empty for a
	// bookmark.
	Item[T]
	// ResourceVersion is the version of the object or bookmark, "" if unknown.
	ResourceVersion string
	// InitialEventsEnd is set on the bookmark after the initial events of a watch with
	// SendInitialEvents.
	InitialEventsEnd bool
}
