// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"errors"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Source is a source of the objects of one resource: how to list and watch them, and the facts that a
// reader needs. The zero Source is no source. A copy with other fields is another source.
type Source[T any] struct {
	// ListerWatcher lists and watches. A source of parts has none, and no facts: its parts have them.
	ListerWatcher[T]
	// NoWatchList is set if a WatchList, a watch with SendInitialEvents, would never complete. The fake
	// clients of client-gen are an example: they send the objects, but not the bookmark, and do not end.
	// If it is unset, the server may still refuse a WatchList or not send the bookmark.
	NoWatchList bool
	// Reuse, if set, returns a ListerWatcher like that of the source. held returns the object in the cache
	// of the reader, and is safe for concurrent use. If an object of a list, or of the initial events of a
	// watch, equals the one in the cache, the ListerWatcher may pass that one. It must compare all fields
	// of the Go type: a restored server reuses UIDs and resourceVersions.
	//
	// The reader does not modify objects, so they may share parts with each other.
	Reuse func(held func(types.NamespacedName) (T, bool)) ListerWatcher[T]
	// Served, if set, says that the server may not have the resource. It reports whether the server serves it
	// now, or returns an error if that is not certain. After a 404, a reflector asks it; see package informer.
	// It is safe for concurrent use.
	Served func(ctx context.Context) (bool, error)

	parts *Parts[T]
}

// Exists reports whether s is a source.
func (s Source[T]) Exists() bool { return s.ListerWatcher != nil || s.parts != nil }

// Parts returns the parts of s, or nil if s has a ListerWatcher. The parts are read in place of s.
func (s Source[T]) Parts() *Parts[T] {
	if s.ListerWatcher != nil {
		return nil
	}
	return s.parts
}

// Reusing returns s with the ListerWatcher of Reuse, or s without Reuse.
func (s Source[T]) Reusing(held func(types.NamespacedName) (T, bool)) Source[T] {
	if s.Reuse != nil {
		s.ListerWatcher = s.Reuse(held)
	}
	return s
}

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
	// Its deltas are of the types in column List of the table in package delta. An object whose key is not that of its
	// delta counts as one that cannot be decoded; [DeltaOf] takes the key from the object. err is set if an object cannot
	// be used, and says why. It names the object and the path within it, as far as they are known.
	//
	// The callee owns the objects. List calls each on the calling goroutine. If each returns an
	// error, List stops and returns that error unchanged. Objects that were passed before an error
	// are valid, but the list is complete only if the error is nil.
	List(ctx context.Context, opts metav1.ListOptions, each func(d Delta[T], err error) error) (metav1.ListMeta, error)

	// Watch calls each with every event until the stream ends, ctx ends, or each returns an error, which
	// Watch returns unchanged. The deltas are of the types in column Watch, and have the object after the
	// change; a Deleted has its final state. resourceVersion is that of the object or bookmark, "" if unknown.
	// err is as for List. Watch calls each on the calling goroutine. When it returns, the watch has ended, with
	// its connection closed.
	//
	// The returned error is the answer of the server, the failure of the stream, or the cause of ctx. If the
	// server ends the stream orderly, it is nil.
	Watch(ctx context.Context, opts metav1.ListOptions,
		each func(d Delta[T], resourceVersion string, err error) error) error
}

// Delta is a delta of a source, whose keys are namespaces and names.
type Delta[T any] = delta.Delta[types.NamespacedName, T]

var (
	// ErrDrop is returned by the function of a [Map] to leave an object out, which becomes a Dropped.
	ErrDrop = errors.New("the object is left out")
	// ErrKeep is returned by the function of a [Map] to ignore a state of an object, which becomes a Kept. A
	// cache keeps the state that it holds, if any, which is then not stale. A deletion then has no final
	// state.
	ErrKeep = errors.New("this state of the object is ignored")
	// ErrCut is wrapped by the error of a list or watch whose connection broke. Everything received
	// before is valid.
	ErrCut = errors.New("the connection was cut")
)

// DeltaOf returns the delta of obj with its key. If that cannot be read, it returns a NoKey, and why.
func DeltaOf[T metav1.Object](t delta.Type, obj T) (Delta[T], error) {
	key, err := delta.KeyOf(obj)
	switch {
	case err == nil, errors.Is(err, delta.ErrNoName): // the reader decides whether it needs a name
		return delta.New(t, key, obj), nil
	case errors.Is(err, delta.ErrNilObject):
		err = errors.New("the source returned neither an object nor an error")
	}
	return delta.Bare[types.NamespacedName, T](delta.NoKey), err
}

// Unusable returns the delta of an object that cannot be used: a Deleted if t is Deleted, and a Stale otherwise.
func Unusable[T any](t delta.Type, key types.NamespacedName) Delta[T] {
	if t != delta.Deleted {
		t = delta.Stale
	}
	return delta.WithKey[types.NamespacedName, T](t, key)
}
