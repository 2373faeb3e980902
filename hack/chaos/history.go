// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// maxMistakes is how many mistakes a history keeps until it is checked.
const maxMistakes = 20

// history is a handler that replays its calls. It records each call that contradicts an earlier one.
type history[T metav1.Object] struct {
	name string
	lag  time.Duration // how long each call takes

	mu       sync.Mutex
	calls    int
	objects  map[types.NamespacedName]T // as the handler was last notified of them
	mistakes []string
	changed  chan struct{} // closed at the next call
}

func newHistory[T metav1.Object](name string, lag time.Duration) *history[T] {
	return &history[T]{
		name: name, lag: lag,
		objects: make(map[types.NamespacedName]T), changed: make(chan struct{}),
	}
}

// handler returns the handler that writes the history.
func (h *history[T]) handler() informer.Handler[T] {
	return informer.HandlerFuncs[T]{
		AddFunc:    func(obj T, _ bool) { h.call(func() { h.add(obj) }) },
		UpdateFunc: func(old, obj T) { h.call(func() { h.update(old, obj) }) },
		DeleteFunc: func(t informer.Tombstone[T]) { h.call(func() { h.remove(t) }) },
	}
}

func (h *history[T]) call(apply func()) {
	if h.lag > 0 {
		<-time.After(h.lag)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls++
	apply()
	close(h.changed)
	h.changed = make(chan struct{})
}

func (h *history[T]) add(obj T) {
	key := store.KeyOf(obj)
	if known, ok := h.objects[key]; ok {
		h.mistake("add of %s, but the handler knows %s", describe(obj), describe(known))
	}
	h.objects[key] = obj
}

func (h *history[T]) update(old, obj T) {
	key := store.KeyOf(obj)
	known, ok := h.objects[key]
	switch {
	case !ok:
		h.mistake("update of %s, which the handler does not know", describe(obj))
	case !same(old, known):
		h.mistake("update of %s from %s, but the handler knows %s", describe(obj), describe(old), describe(known))
	case old.GetUID() != obj.GetUID():
		h.mistake("update of %s from %s, which is another object", describe(obj), describe(old))
	case same(old, obj):
		h.mistake("update of %s that changes nothing", describe(obj))
	}
	h.objects[key] = obj
}

func (h *history[T]) remove(t informer.Tombstone[T]) {
	known, ok := h.objects[t.Key]
	switch {
	case !ok:
		h.mistake("delete of %s, which the handler does not know", describe(t.Object))
	case !same(t.LastSeen, known):
		h.mistake("delete of %s, but the handler knows %s", describe(t.LastSeen), describe(known))
	case t.Object.GetUID() != known.GetUID():
		h.mistake("delete of %s, but the handler knows %s", describe(t.Object), describe(known))
	}
	delete(h.objects, t.Key)
}

func (h *history[T]) mistake(format string, args ...any) {
	if len(h.mistakes) < maxMistakes {
		h.mistakes = append(h.mistakes, fmt.Sprintf("handler "+h.name+": "+format, args...))
	}
}

// settle waits until the handler's state is want.
func (h *history[T]) settle(ctx context.Context, want map[types.NamespacedName]T) error {
	for {
		h.mu.Lock()
		settled := matches(len(h.objects), maps.Values(h.objects), want)
		changed, calls := h.changed, h.calls
		h.mu.Unlock()
		if settled {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("handler %s does not know the state of the server after %d calls", h.name, calls)
		}
	}
}

// check returns the mistakes since the last check, and how what the handler knows
// differs from want.
func (h *history[T]) check(want map[types.NamespacedName]T) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	found := append(h.mistakes, compare("handler "+h.name, h.objects, want)...)
	h.mistakes = nil
	return found
}
