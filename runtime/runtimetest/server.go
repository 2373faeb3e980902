// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package runtimetest

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Server behaves like an API server; its Source reads it. Every write gets the next
// resourceVersion. Lists can be paged. A watch starts at a resourceVersion and sees every later
// write that its label, field and shard selectors match. Field selectors may use metadata.name
// and metadata.namespace; others are refused. It is safe for concurrent use.
//
// A watch that allows bookmarks gets one each minute, and two seconds before it times out. After
// Rewind, a watch may start at a future resourceVersion: it is silent, without bookmarks, until
// the server reaches that version. A list at a future resourceVersion is refused. API servers do
// the same.
//
// The server stores and returns copies made with DeepCopyObject. Objects without that method are
// copied shallowly.
type Server[T metav1.Object] struct {
	// NoWatchList makes the server refuse WatchList, like servers before 1.27. Set it before
	// use.
	NoWatchList bool
	// NoShards makes the server ignore shard selectors, like servers without sharding. Set
	// it before use.
	NoShards bool

	mu        sync.Mutex
	version   int // of the last write
	compacted int // watches must not start before this
	dropped   int // version of the last write that was forgotten
	objects   map[types.NamespacedName]T
	order     []types.NamespacedName // of objects, by creation
	log       []write[T]
	changed   chan struct{} // closed by the next write or fault
	cut       int           // how often watches have been cut
	cutErr    error
	marked    int // resourceVersion of the last bookmark that was sent to all
	failures  []error
	requests  []Request
}

// Request is a request to a source.
type Request struct {
	Watch     bool
	Namespace string // of a source that Server.In returned
	Options   metav1.ListOptions
	At        time.Time
}

// sender is the function that a watch calls with each event.
type sender[T any] = func(d source.Delta[T], resourceVersion string, err error) error

// write is one entry of the log.
type write[T any] struct {
	version  int
	old, new T
	had, has bool
}

// NewServer returns a server without objects.
func NewServer[T metav1.Object]() *Server[T] {
	return &Server[T]{version: 1, objects: make(map[types.NamespacedName]T), changed: make(chan struct{})}
}

// Set creates or replaces an object and sets its resourceVersion, which it returns,
// and its UID if it has none.
func (s *Server[T]) Set(obj T) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
	old, had := s.objects[key]
	s.version++
	obj.SetResourceVersion(strconv.Itoa(s.version))
	if obj.GetUID() == "" {
		obj.SetUID(types.UID(obj.GetResourceVersion() + "-uid")) // whose hashes differ in their leading bits
		if had {
			obj.SetUID(old.GetUID())
		}
	}
	if !had {
		s.order = append(s.order, key)
	}
	stored := copyOf(obj)
	s.objects[key] = stored
	s.append(write[T]{version: s.version, old: old, had: had, new: stored, has: true})
	return obj.GetResourceVersion()
}

// Delete removes an object and reports whether there was one.
func (s *Server[T]) Delete(namespace, name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := types.NamespacedName{Namespace: namespace, Name: name}
	old, had := s.objects[key]
	if !had {
		return false
	}
	delete(s.objects, key)
	s.order = slices.DeleteFunc(s.order, func(k types.NamespacedName) bool { return k == key })
	s.version++
	s.append(write[T]{version: s.version, old: old, had: true})
	return true
}

// append logs a write and wakes the watches. The lock must be held.
func (s *Server[T]) append(w write[T]) {
	s.log = append(s.log, w)
	s.wake()
}

func (s *Server[T]) wake() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// ResourceVersion returns that of the last write.
func (s *Server[T]) ResourceVersion() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strconv.Itoa(s.version)
}

// Requests returns the requests so far, in order.
func (s *Server[T]) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// request records a request and returns its fault, if any.
func (s *Server[T]) request(watch bool, namespace string, opts metav1.ListOptions) error {
	s.requests = append(s.requests, Request{Watch: watch, Namespace: namespace, Options: opts, At: time.Now()})
	if len(s.failures) == 0 {
		return nil
	}
	err := s.failures[0]
	s.failures = s.failures[1:]
	return err
}

// List implements source.ListerWatcher.
func (s *Server[T]) List(
	ctx context.Context, opts metav1.ListOptions, each func(d source.Delta[T], err error) error,
) (metav1.ListMeta, error) {
	return s.listIn(ctx, metav1.NamespaceAll, opts, each)
}

func (s *Server[T]) listIn(
	ctx context.Context, namespace string, opts metav1.ListOptions, each func(d source.Delta[T], err error) error,
) (metav1.ListMeta, error) {
	if ctx.Err() != nil {
		return metav1.ListMeta{}, context.Cause(ctx)
	}
	objs, meta, err := s.list(namespace, opts)
	for _, obj := range objs {
		if err == nil {
			err = each(source.DeltaOf(delta.Replaced, copyOf(obj)))
		}
	}
	if err != nil {
		return metav1.ListMeta{}, err
	}
	return meta, nil
}

// list returns the response of a list request. A continue token has a resourceVersion and the number
// of objects to skip. It has expired if the server has a newer state.
func (s *Server[T]) list(namespace string, opts metav1.ListOptions) ([]T, metav1.ListMeta, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.request(false, namespace, opts); err != nil {
		return nil, metav1.ListMeta{}, err
	}
	scope, err := s.scopeOf(namespace, opts)
	if err != nil {
		return nil, metav1.ListMeta{}, err
	}
	if at, err := strconv.Atoi(opts.ResourceVersion); err == nil && at > s.version {
		return nil, metav1.ListMeta{}, tooLarge(at, s.version)
	}
	from := 0
	if opts.Continue != "" {
		at, n, ok := parseToken(opts.Continue)
		if !ok || at != s.version {
			err := apierrors.NewResourceExpired("the server no longer has the state of the continue token")
			return nil, metav1.ListMeta{}, err
		}
		from = n
	}
	var objs []T
	for _, key := range s.order {
		if obj := s.objects[key]; scope.has(obj) {
			objs = append(objs, obj)
		}
	}
	objs = objs[min(from, len(objs)):]
	meta := metav1.ListMeta{ResourceVersion: strconv.Itoa(s.version)}
	if n := int(opts.Limit); n > 0 && n < len(objs) && opts.ResourceVersion != "0" {
		objs, meta.Continue = objs[:n], token(s.version, from+n)
	}
	return objs, meta, nil
}

// Watch implements source.ListerWatcher.
func (s *Server[T]) Watch(ctx context.Context, opts metav1.ListOptions, each sender[T]) error {
	return s.watchIn(ctx, metav1.NamespaceAll, opts, each)
}

func (s *Server[T]) watchIn(ctx context.Context, namespace string, opts metav1.ListOptions, each sender[T]) error {
	w, err := s.watch(namespace, opts)
	if err != nil {
		return err
	}
	var over <-chan time.Time
	if opts.TimeoutSeconds != nil {
		t := time.NewTimer(time.Duration(*opts.TimeoutSeconds) * time.Second)
		defer t.Stop()
		over = t.C
	}
	beat := newHeartbeat(opts)
	defer beat.stop()
	for {
		events, changed, ended, err := w.next()
		for _, e := range events {
			if err := each(e.Delta, e.version, e.err); err != nil {
				return err
			}
		}
		switch {
		case ended:
			return err
		case len(events) > 0:
			continue
		}
		select {
		case <-changed:
		case <-beat.often:
			w.due = true
		case <-beat.last:
			w.due = true
		case <-over:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// event is what a watch sends.
type event[T any] struct {
	source.Delta[T]
	version string
	err     error
}

// eventOf returns an event with a copy of obj.
func eventOf[T metav1.Object](t delta.Type, obj T, version string) event[T] {
	d, err := source.DeltaOf(t, copyOf(obj))
	return event[T]{d, version, err}
}

// bookmark returns an event without an object.
func bookmark[T any](t delta.Type, version int) event[T] {
	return event[T]{Delta: delta.Bare[types.NamespacedName, T](t), version: strconv.Itoa(version)}
}
