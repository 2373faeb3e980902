// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cache

import (
	"context"
	"errors"
	"sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/features"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/watchlist"

	"github.com/indexer-gen/indexer-gen/runtime/reflector"
)

// ReflectorStore is what a Reflector needs of a store or queue.
type ReflectorStore interface {
	Add(obj any) error
	Update(obj any) error
	Delete(obj any) error
	Replace(list []any, resourceVersion string) error
	Resync() error
}

type ReflectorOptions struct {
	MinWatchTimeout time.Duration
	Backoff         *wait.Backoff
}

// Reflector reads Pods by reflectors of ours. ListAndWatchWithContext runs one until it lists again or
// fails; the next one starts at the resourceVersion that the last one has reached.
type Reflector struct {
	listerWatcher     ListerWatcher
	store             ReflectorStore
	opts              ReflectorOptions
	WatchListPageSize int64

	mu   sync.Mutex
	last string // resourceVersion
}

func NewReflector(lw ListerWatcher, _ any, s ReflectorStore, _ time.Duration) *Reflector {
	return &Reflector{listerWatcher: lw, store: s}
}

func NewReflectorWithOptions(lw ListerWatcher, _ any, s ReflectorStore, opts ReflectorOptions) *Reflector {
	return &Reflector{listerWatcher: lw, store: s, opts: opts}
}

func (r *Reflector) LastSyncResourceVersion() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

func (r *Reflector) setLastSyncResourceVersion(resourceVersion string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = resourceVersion
}

// reach is called when the store has reached a resourceVersion, by a list or otherwise.
func (r *Reflector) reach(resourceVersion string, list bool) {
	r.setLastSyncResourceVersion(resourceVersion)
	if u, ok := r.store.(cache.ResourceVersionUpdater); ok && !list {
		u.UpdateResourceVersion(resourceVersion)
	}
}

func (r *Reflector) Run(stop <-chan struct{}) { r.RunWithContext(wait.ContextForChannel(stop)) }

func (r *Reflector) RunWithContext(ctx context.Context) {
	_ = r.run(ctx, func(reflector.Event) {}, nil)
}

// ListAndWatchWithContext returns the error that a call of the ListerWatcher has returned, if any.
func (r *Reflector) ListAndWatchWithContext(ctx context.Context) error {
	running, cancel := context.WithCancel(ctx)
	defer cancel()
	listed := false
	return r.run(running, func(e reflector.Event) {
		switch e.Type {
		case reflector.EventListed:
			listed = true
		case reflector.EventListing:
			if listed {
				cancel()
			}
		}
	}, cancel)
}

// endsAttempt reports whether client-go's ListAndWatch returns after err. It does not if the next request
// follows at once, nor if a watch was refused for the moment. refused is the last error of a call.
func endsAttempt(err, refused error) bool {
	var failed *reflector.Error
	if !errors.As(err, &failed) || failed.Wait == 0 {
		return false
	}
	switch {
	case failed.Op == reflector.OpWatchList && errors.Is(err, reflector.ErrNoBookmark):
		return false
	case failed.Op == reflector.OpList || !errors.Is(err, refused):
		return true
	case failed.Op == reflector.OpWatchList:
		return false
	}
	return !errors.Is(err, syscall.ECONNREFUSED) && !apierrors.IsTooManyRequests(err)
}

func (r *Reflector) run(ctx context.Context, onEvent func(reflector.Event), cancel func()) error {
	client, src := sourceOf(r.listerWatcher)
	var once sync.Once
	var failure error
	opts := reflector.Options[*corev1.Pod]{
		Settings: reflector.Settings{PageSize: r.WatchListPageSize, WatchTimeout: max(r.opts.MinWatchTimeout, 5*time.Minute), NoWatchList: !features.FeatureGates().Enabled(features.WatchListClient) ||
			watchlist.DoesClientNotSupportWatchListSemantics(r.listerWatcher)},
		ResourceVersion: r.LastSyncResourceVersion(),
		OnEvent: func(e reflector.Event) {
			if onEvent != nil {
				onEvent(e)
			}
			if e.Type != reflector.EventFailed || cancel == nil || !endsAttempt(e.Err, client.failure()) {
				return
			}
			once.Do(func() { failure = e.Err })
			cancel()
		},
	}
	if b := r.opts.Backoff; b != nil {
		opts.Backoff = reflector.Backoff{Initial: b.Duration, Max: b.Cap, Factor: b.Factor, Jitter: b.Jitter}
	}
	reflector.New(src, &sink{r.store, r.reach}, opts).Run(ctx)
	if failure != nil && errors.Is(failure, client.failure()) {
		return failure
	}
	return nil
}
