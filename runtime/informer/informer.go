// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"sync"
	"sync/atomic"

	"context"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/health"
	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/hub"
	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Informer mirrors a source in a store and notifies handlers of every change. Create one with
// New. Its methods are safe for concurrent use.
type Informer[T metav1.Object] struct {
	resource schema.GroupVersionResource
	multi    source.Multi[T] // the source of New, if it consists of several
	store    *store.Store[types.NamespacedName, T]
	feeder   *store.Feeder[types.NamespacedName, T]
	opts     options
	invalid  error // why opts are wrong, or nil
	hub      *hub.Hub[T]
	log      *health.Log // nil without a logger

	synced  chan struct{}  // closed once the first lists are in the store
	changed ctxsync.Signal // raised when the sources of multi have changed
	several atomic.Bool    // there is, or was, a source besides the one with the name ""

	mu          sync.Mutex // guards the fields below; no foreign code runs under it
	lastError   error
	indexErrors map[string]int64 // errors of index functions, by index
	sources     []*Source[T]     // copied on write
	hasSynced   bool
	awaited     []*Source[T]    // must sync before the informer has synced; set by launch
	running     *run            // nil if the informer is not running
	ending      bool            // nothing can be started in running anymore
	stopped     chan struct{}   // closed when a run ends; replaced by the next run
	aligning    []chan struct{} // closed once the sources are those of multi
}

// run is one call of Run. It owns the goroutines that the call starts.
type run struct {
	ctx      context.Context
	done     waitgroup.Group
	launched bool   // awaited is set
	unhook   func() // ends the reports of the store
}

// Resource returns the informer's GroupVersionResource.
func (i *Informer[T]) Resource() schema.GroupVersionResource { return i.resource }

// Store returns the informer's store.
func (i *Informer[T]) Store() *store.Store[types.NamespacedName, T] { return i.store }

// hasSource reports whether the informer has or had a source.
func (i *Informer[T]) hasSource() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.several.Load() || len(i.sources) > 0
}
