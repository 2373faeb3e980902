// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// NewSharedIndexInformer returns an informer that mirrors lw. It replaces client-go's function of that name;
// the package documentation lists the differences. [ListWatch] makes lw from a typed client.
//
// If exampleObject is nil, objects of every type are stored. resync is the period at which handlers without
// a period of their own are resynced. With 0, no handler is resynced.
func NewSharedIndexInformer(
	lw cache.ListerWatcher, exampleObject runtime.Object, resync time.Duration, indexers cache.Indexers,
) cache.SharedIndexInformer {
	resource := schema.GroupVersionResource{Resource: fmt.Sprintf("%T", exampleObject)}
	return NewInformer(resource, sourceOf(lw, exampleObject), exampleObject, resync, indexers)
}

// NewInformer is like [NewSharedIndexInformer] with a native source of a resource, which errors name. Its objects
// must have the type of exampleObject, unless that is nil.
func NewInformer(
	resource schema.GroupVersionResource, src source.Source[metav1.Object], exampleObject runtime.Object,
	resync time.Duration, indexers cache.Indexers,
) cache.SharedIndexInformer {
	create := newInformer[metav1.Object]
	if typed, ok := registered.Load(reflect.TypeOf(exampleObject)); ok {
		create = typed.(constructor)
	}
	return create(resource, src, exampleObject, resync, indexers)
}

// constructor is the type of NewInformer and newInformer.
type constructor = func(
	schema.GroupVersionResource, source.Source[metav1.Object], runtime.Object, time.Duration, cache.Indexers,
) cache.SharedIndexInformer

var registered sync.Map // reflect.Type → constructor

// Register makes this package store objects of type T in a store of T, from now on, in the whole program: [StoreOf]
// then returns it. A generic function cannot be instantiated at run time, so call Register for the types whose typed
// stores you read, before their informers are made:
//
//	clientgo.Register[*v1.Device]()
//
// Such an informer holds no other types. If a transform returns another one, its list fails. Without Register, a
// store holds objects of any type.
func Register[T metav1.Object]() { registered.Store(reflect.TypeFor[T](), newInformer[T]) }

func newInformer[T metav1.Object](
	resource schema.GroupVersionResource, src source.Source[metav1.Object], exampleObject runtime.Object,
	resync time.Duration, indexers cache.Indexers,
) cache.SharedIndexInformer {
	description := fmt.Sprintf("%T", exampleObject)
	i := &sharedIndexInformer[T]{
		description: description, resync: resync, checkPeriod: resync,
		transform:  &transform[T]{mutations: cache.NewCacheMutationDetector(description)},
		watchError: cache.DefaultWatchErrorHandler,
	}
	i.reflector = cache.NewReflectorWithOptions(
		&cache.ListWatch{}, exampleObject, cache.NewStore(cache.MetaNamespaceKeyFunc), cache.ReflectorOptions{Name: "indexer-gen"})
	objects := store.ForObjects[T](store.WithErrorHandler(i.reportStored))
	i.Informer = informer.New(resource, i.transform.of(src), objects, informer.WithErrorHandler(i.report))
	i.indexer = newIndexer(objects, indexers)
	return i
}

// FromInformer returns a native informer as a cache.SharedIndexInformer with its own string indexes. Its Run
// runs i. If i runs already, for example in its factory, Run waits until its channel is closed.
// SetTransform and the setters of watch error handlers return an error: use source.Map and
// informer.WithErrorHandler. Handlers with a period of their own are resynced.
func FromInformer[T metav1.Object](i *informer.Informer[T], indexers cache.Indexers) cache.SharedIndexInformer {
	var example T
	return &sharedIndexInformer[T]{
		description: fmt.Sprintf("%T", example), checkPeriod: minResync, Informer: i,
		indexer: newIndexer(i.Store(), indexers),
	}
}

// StoreOf returns the typed store behind an informer of this package. It returns an error if i was not made
// by this package, or if T was not registered when i was made.
func StoreOf[T metav1.Object](i cache.SharedInformer) (*store.Store[types.NamespacedName, T], error) {
	typed, err := InformerOf[T](i)
	if err != nil {
		return nil, err
	}
	return typed.Store(), nil
}

// InformerOf returns the native informer behind an informer of this package, for example for package trigger.
// Only i may run it. The errors are those of [StoreOf].
func InformerOf[T metav1.Object](i cache.SharedInformer) (*informer.Informer[T], error) {
	own, err := ownOf(i)
	if err != nil {
		return nil, err
	}
	typed, ok := own.(*sharedIndexInformer[T])
	if !ok {
		var want T
		return nil, fmt.Errorf("the %s has no store of %T: call clientgo.Register[%T]() before the informer is made, "+
			"for example first in main", own.HasSyncedChecker().Name(), want, want)
	}
	return typed.Informer, nil
}

// WaitForSync waits until an informer of this package has synced. If ctx or the informer ends first, the
// error says why it has not synced.
func WaitForSync(ctx context.Context, i cache.SharedInformer) error {
	own, err := ownOf(i)
	if err != nil {
		return err
	}
	return own.WaitForSync(ctx)
}

// WaitForPart waits until a part of the source of an informer of this package has synced; see package informer.
func WaitForPart(ctx context.Context, i cache.SharedInformer, name string) error {
	own, err := ownOf(i)
	if err != nil {
		return err
	}
	return own.WaitForPart(ctx, name)
}

// Stats returns statistics of an informer of this package, and false for others.
func Stats(i cache.SharedInformer) (informer.Stats, bool) {
	own, err := ownOf(i)
	if err != nil {
		return informer.Stats{}, false
	}
	return own.Stats(), true
}

// ownOf returns the informer of this package behind i. client-go wraps the informers of its factories;
// their GetController still returns ours.
func ownOf(i cache.SharedInformer) (own, error) {
	c, ok := i.GetController().(controller)
	if !ok {
		return nil, fmt.Errorf("a %T was not made by package clientgo: a factory takes an informer from the first "+
			"that requests it, so call InformerFor before Informer, Lister and ForResource", i)
	}
	return c.own, nil
}

// own is a *sharedIndexInformer of any type.
type own interface {
	cache.SharedIndexInformer
	add(cache.ResourceEventHandler, cache.HandlerOptions, ...informer.HandlerOption) (
		cache.ResourceEventHandlerRegistration, error)
	publish(id cache.InformerNameAndResource)

	// Of the native informer:
	WaitForSync(ctx context.Context) error
	WaitForPart(ctx context.Context, name string) error
	Stats() informer.Stats
	Present() (present bool, changed <-chan struct{})
	IsPartAbsent(name string) bool
	Wake()
}

// sharedIndexInformer implements cache.SharedIndexInformer.
type sharedIndexInformer[T metav1.Object] struct {
	*informer.Informer[T]
	description string
	indexer     *indexer[T]
	resync      time.Duration
	transform   *transform[T]    // nil for a native informer
	reflector   *cache.Reflector // for the watch error handler; it does not run
	published   cache.Store      // gets the resourceVersion for client-go's metrics; nil without a name

	mu               sync.Mutex
	started, stopped bool
	checkPeriod      time.Duration // the shortest period of a resync; 0 if there are none
	registrations    []*registration
	watchError       cache.WatchErrorHandlerWithContext // unchanged once started
	ctx              context.Context                    // of Run
}

func (i *sharedIndexInformer[T]) Run(stop <-chan struct{}) {
	i.RunWithContext(wait.ContextForChannel(stop))
}

func (i *sharedIndexInformer[T]) RunWithContext(ctx context.Context) {
	if !i.start(ctx) {
		klog.FromContext(ctx).Info("Warning: the informer was not run again", "informer", i.description)
		return
	}
	defer i.stop()
	defer context.AfterFunc(ctx, i.stop)()
	var watching sync.WaitGroup
	watching.Go(func() { i.watchOver(ctx) })
	if i.transform != nil {
		watching.Go(func() { i.transform.mutations.Run(ctx.Done()) })
	}
	defer watching.Wait()
	if err := i.Informer.Run(ctx); errors.Is(err, informer.ErrRunning) {
		<-ctx.Done()
	} else if err != nil {
		utilruntime.HandleErrorWithContext(ctx, err, "The informer did not run", "informer", i.description)
	}
}

func (i *sharedIndexInformer[T]) start(ctx context.Context) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.started {
		return false
	}
	i.started, i.ctx = true, ctx
	return true
}

func (i *sharedIndexInformer[T]) stop() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.stopped = true
}

func (i *sharedIndexInformer[T]) IsStopped() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.stopped
}

// configure calls set unless the informer is native or has started.
func (i *sharedIndexInformer[T]) configure(set func()) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.transform == nil:
		return fmt.Errorf("the informer of %s is a native one: pass the options of package informer when it is made",
			i.description)
	case i.started:
		return fmt.Errorf("the informer of %s has already started: set this before", i.description)
	}
	set()
	return nil
}

func (i *sharedIndexInformer[T]) SetTransform(f cache.TransformFunc) error {
	return i.configure(func() { i.transform.f = f })
}

func (i *sharedIndexInformer[T]) SetWatchErrorHandler(f cache.WatchErrorHandler) error {
	return i.SetWatchErrorHandlerWithContext(func(_ context.Context, r *cache.Reflector, err error) { f(r, err) })
}

func (i *sharedIndexInformer[T]) SetWatchErrorHandlerWithContext(f cache.WatchErrorHandlerWithContext) error {
	return i.configure(func() { i.watchError = f })
}

func (i *sharedIndexInformer[T]) AddIndexers(indexers cache.Indexers) error {
	if i.IsStopped() {
		return fmt.Errorf("the informer of %s has stopped: no index was added", i.description)
	}
	return i.indexer.AddIndexers(indexers)
}

func (i *sharedIndexInformer[T]) GetStore() cache.Store           { return i.indexer }
func (i *sharedIndexInformer[T]) GetIndexer() cache.Indexer       { return i.indexer }
func (i *sharedIndexInformer[T]) GetController() cache.Controller { return controller{i} }

func (i *sharedIndexInformer[T]) LastSyncResourceVersion() string {
	return i.indexer.LastStoreSyncResourceVersion()
}

func (i *sharedIndexInformer[T]) HasSynced() bool { return cache.IsDone(i.HasSyncedChecker()) }

func (i *sharedIndexInformer[T]) HasSyncedChecker() cache.DoneChecker {
	return done{"SharedIndexInformer " + i.description, i.Synced()}
}

// done implements cache.DoneChecker.
type done struct {
	name    string
	channel <-chan struct{}
}

func (d done) Name() string          { return d.name }
func (d done) Done() <-chan struct{} { return d.channel }

// controller is the cache.Controller of an informer. It cannot run it.
type controller struct{ own }

func (controller) Run(<-chan struct{})            {}
func (controller) RunWithContext(context.Context) {}
