// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"cmp"
	"context"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/hub"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Handler is notified of the changes of an informer's objects. Its methods are called one at a
// time, under no lock, and in order for each object. They may call any method of the informer
// and its store; see the package documentation for waits that do not end. Objects are shared
// with the store and must not be modified.
type Handler[T any] interface {
	// OnAdd is called for an object that is new to the handler, or that was deleted and
	// created again. inInitialList says that it is part of the initial list; see
	// Registration.Synced.
	OnAdd(obj T, inInitialList bool)
	// OnUpdate is called for a change. old is the state of which this handler was last
	// notified; states in between may be missing. A resync passes the same object twice.
	OnUpdate(old, new T)
	// OnDelete is called for an object that is gone.
	OnDelete(t Tombstone[T])
}

// Tombstone describes a deleted object.
type Tombstone[T any] struct {
	Key types.NamespacedName
	// Object is the final state of the object or, with FinalStateUnknown, the last known
	// state. It is always set.
	Object T
	// LastSeen is the state of which this handler was last notified.
	LastSeen T
	// FinalStateUnknown is set if the final state did not come or was not kept: the object was missing from a
	// list, another object of that name replaced it, its final state could not be decoded, a conversion dropped
	// it (source.ErrDrop), its type or its part of the source went, or the handler was coalescing and busy.
	FinalStateUnknown bool
	// SourceRemoved is set if the namespace or shard of the object was removed from the informer. The
	// object may still exist. FinalStateUnknown is set, too.
	SourceRemoved bool
}

// AddEventHandler adds h to the informer. h is notified of every object in the store, as additions
// of the initial list, and then of every change, until the registration is removed. A batch that is being written
// comes after the initial list.
//
// AddEventHandler does not block and may be called at any time, also by a handler. h is called only
// while the informer runs. A handler that is added twice is called twice. AddEventHandler panics if
// h is nil.
func (i *Informer[T]) AddEventHandler(h Handler[T], opts ...HandlerOption) *Registration {
	if h == nil {
		panic("informer: AddEventHandler(nil)") //nolint:forbidigo // a bug of the caller
	}
	o := hub.Settings{Buffer: defaultBuffer}
	for _, opt := range opts {
		opt(&o)
	}
	if o.Buffer <= 0 {
		o.Buffer = defaultBuffer
	}
	l := i.hub.Add(hub.Options[T]{
		Settings: o, Call: callOf(h), Label: cmp.Or(o.Name, fmt.Sprintf("(a %T; WithHandlerName names it)", h)),
	})
	return &Registration{l, func(ctx context.Context) error { return i.waitForHandler(ctx, l) }}
}

// callOf returns the function that notifies h of a change.
func callOf[T metav1.Object](h Handler[T]) func(c store.Change[T], inInitialList bool) {
	return func(c store.Change[T], inInitialList bool) {
		switch c.Type {
		case store.Added:
			h.OnAdd(c.New, inInitialList)
		case store.Updated:
			h.OnUpdate(c.Old, c.New)
		default:
			h.OnDelete(Tombstone[T]{
				Key: store.KeyOf(c.Old), Object: c.New, LastSeen: c.Old,
				FinalStateUnknown: c.Cause != 0, SourceRemoved: c.Cause == store.SourceRemoved,
			})
		}
	}
}

// HandlerFuncs is a Handler of functions. Each of them may be nil.
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

// Filter returns a handler that notifies h only of objects that keep selects. An update becomes
// an add if only the new state is selected, and a delete if only the old state is. The tombstone
// of such a delete has the last selected state, and FinalStateUnknown unset. A deletion is
// passed on if Tombstone.LastSeen is selected. keep must be pure.
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
	switch keepsOld, keepsNew := f.keep(old), f.keep(new); {
	case keepsOld && keepsNew:
		f.h.OnUpdate(old, new)
	case keepsNew:
		f.h.OnAdd(new, false)
	case keepsOld:
		f.h.OnDelete(Tombstone[T]{Key: store.KeyOf(old), Object: old, LastSeen: old})
	}
}

func (f filter[T]) OnDelete(t Tombstone[T]) {
	if f.keep(t.LastSeen) {
		f.h.OnDelete(t)
	}
}
