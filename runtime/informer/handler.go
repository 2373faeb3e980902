// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Handler is told what happened to the objects of an informer: for each object in
// order, one call at a time, under no lock. It may call anything of the informer and
// of its store; see the package's documentation for what it should not wait for.
// Objects are shared with the store and everyone who reads it: they must not be
// changed.
type Handler[T any] interface {
	// OnAdd tells of an object that this handler has not been told of, or that
	// was deleted and created again. inInitialList is set for what existed when
	// the informer first listed, or, if it had by then, when the handler was added.
	OnAdd(obj T, inInitialList bool)
	// OnUpdate tells of a change. old is what this handler was last told; changes
	// between it and new may have been missed while disconnected. A resync calls
	// it with the same object twice.
	OnUpdate(old, new T)
	// OnDelete tells that an object is gone.
	OnDelete(t Tombstone[T])
}

// Tombstone is what is known of a deleted object.
type Tombstone[T any] struct {
	Key types.NamespacedName
	// Object is the state in which the object was deleted or, with
	// FinalStateUnknown, the last one that was seen. There always is one.
	Object T
	// Last is the state that this handler was told last. A handler that coalesces, or
	// that missed changes while disconnected, was not told of Object.
	Last T
	// FinalStateUnknown is set if the deletion itself was not seen: the object was
	// missing from a list, was replaced by another of that name, or the server
	// sent a final state that could not be decoded.
	FinalStateUnknown bool
	// Left is set if the object may well exist: it is just no longer among what the
	// informer reads, because the namespace, shard or other source that it came from was
	// taken away. FinalStateUnknown is set too.
	Left bool
}

// HandlerFuncs is a Handler of functions, each of which may be nil.
type HandlerFuncs[T any] struct {
	AddFunc    func(obj T, inInitialList bool)
	UpdateFunc func(old, new T)
	DeleteFunc func(t Tombstone[T])
}

// OnAdd calls AddFunc.
func (h HandlerFuncs[T]) OnAdd(obj T, inInitialList bool) {
	if h.AddFunc != nil {
		h.AddFunc(obj, inInitialList)
	}
}

// OnUpdate calls UpdateFunc.
func (h HandlerFuncs[T]) OnUpdate(old, new T) {
	if h.UpdateFunc != nil {
		h.UpdateFunc(old, new)
	}
}

// OnDelete calls DeleteFunc.
func (h HandlerFuncs[T]) OnDelete(t Tombstone[T]) {
	if h.DeleteFunc != nil {
		h.DeleteFunc(t)
	}
}

// Filter returns a handler that passes on to h only what is about objects that keep
// selects: an update by which an object begins to be selected becomes an add, one by
// which it ceases to be becomes a delete, whose tombstone has the last selected state
// and FinalStateUnknown unset. Whether h is told of a deletion depends on what it was
// told last, not on the final state. keep must be pure.
func Filter[T metav1.Object](keep func(T) bool, h Handler[T]) Handler[T] {
	return filter[T]{keep: keep, h: h}
}

type filter[T metav1.Object] struct {
	keep func(T) bool
	h    Handler[T]
}

func (f filter[T]) OnAdd(obj T, inInitialList bool) {
	if f.keep(obj) {
		f.h.OnAdd(obj, inInitialList)
	}
}

func (f filter[T]) OnUpdate(old, new T) {
	switch was, is := f.keep(old), f.keep(new); {
	case was && is:
		f.h.OnUpdate(old, new)
	case is:
		f.h.OnAdd(new, false)
	case was:
		f.h.OnDelete(Tombstone[T]{Key: store.KeyOf(old), Object: old, Last: old})
	}
}

func (f filter[T]) OnDelete(t Tombstone[T]) {
	if f.keep(t.Last) {
		f.h.OnDelete(t)
	}
}
