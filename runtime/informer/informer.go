// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/health"
	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/hub"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Informer mirrors a source in a store and notifies handlers of every change. Create one with
// New. It works during Run, and keeps its store and handlers from one run to the next. Its methods are
// safe for concurrent use.
type Informer[T metav1.Object] struct {
	resource          schema.GroupVersionResource
	src               source.Source[T]
	store             *store.Store[types.NamespacedName, T]
	wholeSourceFeeder *store.Feeder[types.NamespacedName, T]
	opts              options
	hub               *hub.Hub[T]
	log               *health.Log // nil without a logger

	synced chan struct{} // closed once the first lists are in the store

	mu                    sync.Mutex // guards the fields below; no foreign code runs under it
	lastError             error
	indexErrors           map[string]int64 // errors of index functions, by index
	presenceConfirmed     bool             // see Present
	presentChanged        chan struct{}    // closed by a change of present, then replaced
	parts                 []*part[T]       // of the source; copied on write. One without a name unless src has Parts
	unreadPartsAtRunStart []*part[T]       // unread parts for which Synced waits; nil until a run says which
	partsChanged          chan struct{}    // closed by signalPartsChanged, then replaced
	running               *run             // nil if the informer is not running
	runEnded              chan struct{}    // closed when a run ends; replaced by the next run

	cachedSources func() map[string]source.Source[T] // of src, if it has parts; see invalidateSources
}

// Interface is an *Informer of T, or a type that embeds one, such as an emitted informer.
type Interface[T metav1.Object] interface {
	AddEventHandler(h Handler[T], opts ...HandlerOption) *Registration
	Resource() schema.GroupVersionResource
	Store() *store.Store[types.NamespacedName, T]
	WaitForSync(ctx context.Context) error
}

// New returns an informer that mirrors src in s while it runs. Only the informer should write to
// s. If src is the zero Source, Run returns ErrNoSource. If src has parts, the informer reads these.
func New[T metav1.Object](
	gvr schema.GroupVersionResource, src source.Source[T],
	s *store.Store[types.NamespacedName, T], opts ...Option,
) *Informer[T] {
	i := &Informer[T]{
		resource: gvr, src: src, store: s, synced: make(chan struct{}), runEnded: make(chan struct{}),
		presentChanged: make(chan struct{}), partsChanged: make(chan struct{}), indexErrors: make(map[string]int64),
	}
	for _, opt := range opts {
		opt(&i.opts)
	}
	i.log = health.NewLog(i.opts.logger, health.Informer(gvr, "", ""), i.opts.name)
	i.lastError = i.wrapError(ErrNotStarted)
	i.wholeSourceFeeder = store.NewFeeder(s, func(why error) error { return i.newWaitError(why) })
	if src.Exists() && src.Parts() == nil {
		i.parts = []*part[T]{newPart(i, "", src, i.wholeSourceFeeder)}
	}
	hubConfig := hub.Config[T]{Objects: s.Reader(), Log: i.log}
	if i.opts.errorHandler != nil {
		hubConfig.OnPanic = func(handler string, v any, stack []byte) {
			_ = i.wrapAndReport(nil, &PanicError{Handler: handler, Value: v, Stack: stack})
		}
	}
	i.hub = hub.New(hubConfig)
	return i
}

// Resource returns the informer's GroupVersionResource.
func (i *Informer[T]) Resource() schema.GroupVersionResource { return i.resource }

// Store returns the informer's store.
func (i *Informer[T]) Store() *store.Store[types.NamespacedName, T] { return i.store }
