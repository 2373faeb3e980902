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
// It is safe for concurrent use: several lists and watches may be under way at
// a time. It retries nothing; that is for whoever drives it. Errors that the
// API server answers are apimachinery's *errors.StatusError, so that
// apierrors.IsForbidden, IsResourceExpired and their like work on them.
type ListerWatcher[T any] interface {
	// List reads one page of the list that opts describes and hands each object
	// to each, in the order in which the server sends them, as soon as it is
	// decoded. The page is the whole list unless opts.Limit is set; the metadata
	// that it returns carries the list's resourceVersion and the token of the
	// next page.
	//
	// The objects belong to the callee. List calls each from one goroutine, the
	// one that called List. If each returns an error, List stops and returns it
	// as it is. Objects that were handed over before an error are sound, but the
	// list is not complete: only a nil error says that nothing is missing, save
	// what was handed over as an Item with Err.
	List(ctx context.Context, opts metav1.ListOptions, each func(Item[T]) error) (metav1.ListMeta, error)

	// Watch yields events until the stream ends, ctx ends, or the loop breaks.
	// The watch begins when ranging begins, and has ended, its connection
	// closed, when the range statement is left.
	//
	// A pair with a non-nil error carries no event and is always the last one:
	// what the server answered, what broke the stream, or the cause of ctx. A
	// stream that the server ends in an orderly way ends without an error.
	Watch(ctx context.Context, opts metav1.ListOptions) iter.Seq2[Event[T], error]
}

// Item is one object of a list or of an event: either Object, with Err nil, or
// what can be said of an object that could not be decoded.
type Item[T any] struct {
	// Object is set if and only if Err is nil. (A bookmark has neither.)
	Object T
	// Key is set beside Err if the namespace and name of the object could be
	// read although the object could not. It is nil when not even they could,
	// and whenever Err is nil.
	Key *types.NamespacedName
	// Err says why the object could not be decoded, naming the object, and the
	// path within it, as far as they are known.
	Err error
}

// Event is one change that a watch reports.
type Event[T any] struct {
	// Type is watch.Added, watch.Modified, watch.Deleted or watch.Bookmark,
	// never watch.Error: errors come as the error of the pair.
	Type watch.EventType
	// Item is the object as it is after the change; for watch.Deleted, as it
	// was last. A bookmark's Item is empty.
	Item[T]
	// ResourceVersion is that of the object or bookmark, "" if it is unknown.
	ResourceVersion string
	// InitialEventsEnd is true on the bookmark that says that a watch with
	// SendInitialEvents has sent everything that exists.
	InitialEventsEnd bool
}
