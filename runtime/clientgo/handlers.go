// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
)

// minResync is the shortest period of a resync, as in client-go.
const minResync = time.Second

// pauseAfterPanic is the time that a handler pauses after a panic, as in client-go.
const pauseAfterPanic = time.Second

// AddEventHandler adds h to an informer of this package, with options that client-go does not have:
// informer.WithBuffer bounds its pending changes and makes the informer wait for it, and
// informer.WithCoalescing merges them. It returns an error if i was not made by this package.
func AddEventHandler(
	i cache.SharedInformer, h cache.ResourceEventHandler, opts ...informer.HandlerOption,
) (cache.ResourceEventHandlerRegistration, error) {
	own, err := ownOf(i)
	if err != nil {
		return nil, err
	}
	return own.add(h, cache.HandlerOptions{}, opts...)
}

func (i *sharedIndexInformer[T]) AddEventHandler(
	h cache.ResourceEventHandler,
) (cache.ResourceEventHandlerRegistration, error) {
	return i.add(h, cache.HandlerOptions{})
}

func (i *sharedIndexInformer[T]) AddEventHandlerWithResyncPeriod(
	h cache.ResourceEventHandler, resync time.Duration,
) (cache.ResourceEventHandlerRegistration, error) {
	return i.add(h, cache.HandlerOptions{ResyncPeriod: &resync})
}

func (i *sharedIndexInformer[T]) AddEventHandlerWithOptions(
	h cache.ResourceEventHandler, opts cache.HandlerOptions,
) (cache.ResourceEventHandlerRegistration, error) {
	return i.add(h, opts)
}

func (i *sharedIndexInformer[T]) add(
	h cache.ResourceEventHandler, opts cache.HandlerOptions, more ...informer.HandlerOption,
) (cache.ResourceEventHandlerRegistration, error) {
	if h == nil {
		return nil, fmt.Errorf("a nil handler was not added to the informer of %s", i.description)
	}
	r := &registration{informer: i, name: handlerName(h), logger: klog.Background(), ended: make(chan struct{})}
	if opts.Logger != nil {
		r.logger = *opts.Logger
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.stopped {
		// Programs that race with the end of an informer match the last words.
		return nil, fmt.Errorf("handler %s of %s was not added to shared informer because it has stopped already",
			r.name, i.description)
	}
	options := []informer.HandlerOption{
		informer.WithHandlerName(r.name), informer.WithBuffer(math.MaxInt), informer.WithResync(i.resyncPeriod(opts)),
	}
	r.handler = i.Informer.AddEventHandler(handler[T]{h, r.logger}, append(options, more...)...)
	i.registrations = append(i.registrations, r)
	return r, nil
}

// resyncPeriod returns the period at which a handler is resynced. The informer's shortest period is that of
// the first handlers, and a handler that is added to a running informer cannot shorten it. It requires i.mu.
func (i *sharedIndexInformer[T]) resyncPeriod(opts cache.HandlerOptions) time.Duration {
	period := i.resync
	if opts.ResyncPeriod != nil {
		period = *opts.ResyncPeriod
	}
	if period <= 0 || i.checkPeriod == 0 {
		return 0
	}
	period = max(period, minResync)
	if !i.started {
		i.checkPeriod = min(i.checkPeriod, period)
	}
	return max(period, i.checkPeriod)
}

func (i *sharedIndexInformer[T]) RemoveEventHandler(handle cache.ResourceEventHandlerRegistration) error {
	r, ok := handle.(*registration)
	if !ok {
		return fmt.Errorf("a %T is not a handler of the informer of %s", handle, i.description)
	}
	if r.informer != own(i) {
		return nil
	}
	r.remove()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.registrations = slices.DeleteFunc(i.registrations, func(have *registration) bool { return have == r })
	return nil
}

// registration implements cache.ResourceEventHandlerRegistration.
type registration struct {
	informer own
	handler  *informer.Registration
	name     string
	logger   klog.Logger
	removing sync.Once
	ended    chan struct{} // closed when the last call of a removed handler has returned
	warned   int           // pending changes at the last warning; used by watchOver alone
}

func (r *registration) HasSynced() bool { return r.handler.HasSynced() }

func (r *registration) HasSyncedChecker() cache.DoneChecker {
	return done{r.informer.HasSyncedChecker().Name() + " + event handler " + r.name, r.handler.Synced()}
}

// ShutdownChan returns the channel that cache.ShutDownEventHandler waits for.
func (r *registration) ShutdownChan() <-chan struct{} { return r.ended }

// remove removes the handler without waiting for its current call.
func (r *registration) remove() {
	r.removing.Do(func() {
		r.handler.Remove()
		go func() {
			defer close(r.ended)
			_ = r.handler.RemoveWait(context.Background()) // the context does not end
		}()
	})
}

// handler passes changes on to a handler of client-go.
type handler[T metav1.Object] struct {
	h      cache.ResourceEventHandler
	logger klog.Logger
}

func (h handler[T]) OnAdd(obj T, inInitialList bool) {
	h.call(func() { h.h.OnAdd(obj, inInitialList) })
}

func (h handler[T]) OnUpdate(old, new T) {
	h.call(func() { h.h.OnUpdate(old, new) })
}

func (h handler[T]) OnDelete(t informer.Tombstone[T]) {
	h.call(func() {
		if t.FinalStateUnknown {
			h.h.OnDelete(cache.DeletedFinalStateUnknown{Key: keyString(t.Key), Obj: t.Object})
			return
		}
		h.h.OnDelete(t.Object)
	})
}

// call calls f. After a panic that does not end the program, it waits, so that a handler that panics each
// time does not flood the log.
func (h handler[T]) call(f func()) {
	panicked := true
	defer func() {
		if panicked && !utilruntime.ReallyCrash {
			time.Sleep(pauseAfterPanic) //nolint:forbidigo // as client-go pauses
		}
	}()
	defer utilruntime.HandleCrashWithLogger(h.logger)
	f()
	panicked = false
}
