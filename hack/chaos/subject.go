// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// subject is a running informer that is put to the test.
type subject interface {
	// settle waits until the store and the handlers have the versions that the
	// server has.
	settle(ctx context.Context, t truth) error
	// check returns every difference from the server, whose latest resourceVersion
	// is latest.
	check(t truth, latest uint64) []string
	// state describes the informer for a report of a difference.
	state() string
	// stop ends the informer and waits for it.
	stop()
}

// informed is a subject whose objects are of type T.
type informed[T metav1.Object] struct {
	*informer.Informer[T]
	reads     scope
	decode    func(text []byte) (T, error)
	indexes   []indexCheck[T]
	histories []*history[T]
	cancel    context.CancelFunc
	running   sync.WaitGroup
}

// scope is which objects of the server an informer reads.
type scope struct {
	has     func(metav1.Object) bool // nil means all
	streams bool                     // several, each with a version of its own
}

// start runs an informer of the objects of src in s.
func start[T metav1.Object](
	ctx context.Context, src source.Source[T], s *store.Store[types.NamespacedName, T], reads scope,
	decode func([]byte) (T, error), indexes []indexCheck[T], options []informer.Option,
) *informed[T] {
	ctx, cancel := context.WithCancel(ctx)
	i := &informed[T]{
		Informer: informer.New(fleet.DevicesResource, src, s, options...),
		reads:    reads, decode: decode, indexes: indexes, cancel: cancel,
	}
	lossless, coalescing := newHistory[T]("lossless", 0), newHistory[T]("coalescing", 5*time.Millisecond)
	i.histories = []*history[T]{lossless, coalescing}
	i.AddEventHandler(lossless.handler(), informer.WithHandlerName("lossless"))
	i.AddEventHandler(coalescing.handler(), informer.WithHandlerName("coalescing"), informer.WithCoalescing())
	i.running.Go(func() {
		// Run fails only if the informer cannot run; then it never settles.
		_ = i.Run(ctx)
	})
	return i
}

func (i *informed[T]) stop() {
	i.cancel()
	i.running.Wait()
}

func (i *informed[T]) state() string {
	return fmt.Sprintf("%v; store at version %s; last error: %v",
		i.Stats().Sources, i.Store().Reader().ResourceVersion(), i.LastError())
}

// want returns what the informer should have of what the server has.
func (i *informed[T]) want(t truth) (want map[types.NamespacedName]T, newest uint64, err error) {
	want = make(map[types.NamespacedName]T)
	for _, item := range t.items {
		if i.reads.has != nil && !i.reads.has(&item.meta) {
			continue
		}
		obj, err := i.decode(item.text)
		if err != nil {
			return nil, 0, fmt.Errorf("decoding %s of the server: %w", describe(&item.meta), err)
		}
		want[store.KeyOf(obj)] = obj
		v, err := strconv.ParseUint(obj.GetResourceVersion(), 10, 64)
		if err != nil {
			return nil, 0, err
		}
		newest = max(newest, v)
	}
	return want, newest, nil
}

func (i *informed[T]) settle(ctx context.Context, t truth) error {
	want, newest, err := i.want(t)
	if err != nil {
		return err
	}
	err = i.Store().Reader().WaitUntil(ctx, func(r reader[T]) bool {
		return matches(r.Len(), r.All(), want)
	})
	if err != nil {
		return fmt.Errorf("the store does not have the state of the server: %w", err)
	}
	if !i.reads.streams && newest > 0 {
		if err := i.WaitFor(ctx, strconv.FormatUint(newest, 10)); err != nil {
			return fmt.Errorf("the store has all objects, but not their version: %w", err)
		}
	}
	for _, h := range i.histories {
		err = errors.Join(err, h.settle(ctx, want))
	}
	return err
}

func (i *informed[T]) check(t truth, latest uint64) []string {
	want, _, err := i.want(t)
	if err != nil {
		return []string{err.Error()}
	}
	r := i.Store().Reader().Snapshot()
	found := compare("store", byKey(r.All()), want)
	for key := range want {
		if _, ok := r.Get(key); !ok {
			found = append(found, fmt.Sprintf("store does not find %v by its key", key))
		}
		if r.Stale(key) {
			found = append(found, fmt.Sprintf("store says that %v is stale", key))
		}
	}
	for _, index := range i.indexes {
		found = append(found, index(r, want)...)
	}
	if v, err := strconv.ParseUint(r.ResourceVersion(), 10, 64); err != nil || v > latest {
		found = append(found, fmt.Sprintf("store has version %q, the server %d", r.ResourceVersion(), latest))
	}
	for _, h := range i.histories {
		found = append(found, h.check(want)...)
	}
	return found
}
