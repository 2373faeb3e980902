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
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/features"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/watchlist"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
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
	case failed.Op == reflector.OpList || !errors.Is(err, refused):
		return true
	case failed.Op == reflector.OpWatchList:
		return false
	}
	return !errors.Is(err, syscall.ECONNREFUSED) && !apierrors.IsTooManyRequests(err)
}

func (r *Reflector) run(ctx context.Context, onEvent func(reflector.Event), cancel func()) error {
	client := &podClient{lw: cache.ToListerWatcherWithContext(r.listerWatcher)}
	list := func(l *corev1.PodList) []corev1.Pod { return l.Items }
	var once sync.Once
	var failure error
	opts := reflector.Options[*corev1.Pod]{
		ResourceVersion: r.LastSyncResourceVersion(), PageSize: r.WatchListPageSize,
		WatchTimeout: max(r.opts.MinWatchTimeout, reflector.DefaultWatchTimeout), OnEvent: onEvent,
		NoWatchList: !features.FeatureGates().Enabled(features.WatchListClient) ||
			watchlist.DoesClientNotSupportWatchListSemantics(r.listerWatcher),
		OnError: func(err error) {
			if cancel == nil {
				return
			}
			if !endsAttempt(err, client.failure()) {
				return
			}
			once.Do(func() { failure = err })
			cancel()
		},
	}
	if b := r.opts.Backoff; b != nil {
		opts.Backoff = reflector.Backoff{Initial: b.Duration, Max: b.Cap, Factor: b.Factor, Jitter: b.Jitter}
	}
	reflector.New(source.FromClient(client, list), &sink{r}, opts).Run(ctx)
	if failure != nil && errors.Is(failure, client.failure()) {
		return failure
	}
	return nil
}

// podClient is a ListerWatcher as a typed client of Pods.
type podClient struct {
	lw   cache.ListerWatcherWithContext
	mu   sync.Mutex
	last error // that a call has returned
}

func (c *podClient) failed(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		c.last = err
	}
	return err
}

func (c *podClient) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

func (c *podClient) List(ctx context.Context, opts metav1.ListOptions) (*corev1.PodList, error) {
	list, err := c.lw.ListWithContext(ctx, opts)
	pods, _ := list.(*corev1.PodList)
	return pods, c.failed(err)
}

func (c *podClient) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	opts.Watch = false // typed clients set it themselves
	w, err := c.lw.WatchWithContext(ctx, opts)
	return w, c.failed(err)
}

// sink passes the deltas of a reflector to the store of r.
type sink struct{ r *Reflector }

func (s *sink) Push(_ context.Context, d queue.Delta[types.NamespacedName, *corev1.Pod], rv string) error {
	var err error
	switch d.Type {
	case queue.Added:
		err = s.r.store.Add(d.Object)
	case queue.Updated:
		err = s.r.store.Update(d.Object)
	case queue.Deleted:
		err = s.r.store.Delete(d.Object)
	}
	if err == nil && rv != "" {
		s.reach(rv)
	}
	return err
}

func (s *sink) Replace(_ context.Context, list queue.Replacement[types.NamespacedName, *corev1.Pod]) error {
	var objects []any
	for _, pod := range list.Keyed {
		objects = append(objects, pod)
	}
	s.r.setLastSyncResourceVersion(list.ResourceVersion)
	return s.r.store.Replace(objects, list.ResourceVersion)
}

func (s *sink) Bookmark(resourceVersion string) error {
	s.reach(resourceVersion)
	return nil
}

func (s *sink) reach(resourceVersion string) {
	s.r.setLastSyncResourceVersion(resourceVersion)
	if u, ok := s.r.store.(cache.ResourceVersionUpdater); ok {
		u.UpdateResourceVersion(resourceVersion)
	}
}
