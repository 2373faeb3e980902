// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
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

	"github.com/indexer-gen/indexer-gen/runtime/clientgo/untyped"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/mutation"
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
	detects, _ := strconv.ParseBool(os.Getenv("KUBE_CACHE_MUTATION_DETECTOR"))
	i := &sharedIndexInformer{
		description: fmt.Sprintf("%T", exampleObject), resync: resync, checkPeriod: resync,
		detects: detects, transform: &transform{},
		watchError: cache.DefaultWatchErrorHandler,
	}
	i.reflector = cache.NewReflectorWithOptions(
		&cache.ListWatch{}, exampleObject, cache.NewStore(cache.MetaNamespaceKeyFunc), cache.ReflectorOptions{Name: "indexer-gen"})
	storeOptions := []store.Option{store.WithErrorHandler(i.reportStored)}
	if detects {
		storeOptions = append(storeOptions, mutation.WithDetector())
	}
	i.informer = untyped.New(exampleObject, resource, i.transform.of(src), storeOptions, informer.WithErrorHandler(i.report))
	i.indexer = newIndexer(i.informer.Store(), indexers)
	return i
}

// FromInformer returns a native informer as a cache.SharedIndexInformer with its own string indexes. Its Run
// runs i. If i runs already, for example in its factory, Run waits until its channel is closed.
// SetTransform and the setters of watch error handlers return an error: use source.Map and
// informer.WithErrorHandler. Handlers with a period of their own are resynced.
func FromInformer[T metav1.Object](i *informer.Informer[T], indexers cache.Indexers) cache.SharedIndexInformer {
	var example T
	s := &sharedIndexInformer{
		description: fmt.Sprintf("%T", example), checkPeriod: minResync, informer: untyped.Of(i),
	}
	s.indexer = newIndexer(s.informer.Store(), indexers)
	return s
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
	typed, ok := own.informer.Typed().(*informer.Informer[T])
	if !ok {
		var want T
		return nil, fmt.Errorf("the informer of %s has no store of %T: call untyped.Register[%T]() before "+
			"the informer is made, for example first in main; import %q", own.description, want, want,
			"github.com/indexer-gen/indexer-gen/runtime/clientgo/untyped")
	}
	return typed, nil
}

// WaitForSync waits until an informer of this package has synced. If ctx or the informer ends first, the
// error says why it has not synced.
func WaitForSync(ctx context.Context, i cache.SharedInformer) error {
	own, err := ownOf(i)
	if err != nil {
		return err
	}
	return own.informer.WaitForSync(ctx)
}

// Stats returns statistics of an informer of this package, and false for others.
func Stats(i cache.SharedInformer) (informer.Stats, bool) {
	own, err := ownOf(i)
	if err != nil {
		return informer.Stats{}, false
	}
	return own.informer.Stats(), true
}

// ownOf returns the informer of this package behind i. client-go wraps the informers of its factories;
// their GetController still returns ours.
func ownOf(i cache.SharedInformer) (*sharedIndexInformer, error) {
	c, ok := i.GetController().(controller)
	if !ok {
		return nil, fmt.Errorf("a %T was not made by package clientgo: a factory takes an informer from the first "+
			"that requests it, so call InformerFor before Informer, Lister and ForResource", i)
	}
	return c.i, nil
}

// sharedIndexInformer implements cache.SharedIndexInformer.
type sharedIndexInformer struct {
	description string
	informer    untyped.Informer
	indexer     *indexer
	resync      time.Duration
	detects     bool             // the store detects mutations
	transform   *transform       // nil for a native informer
	reflector   *cache.Reflector // for the watch error handler; it does not run
	published   cache.Store      // gets the resourceVersion for client-go's metrics; nil without a name

	mu               sync.Mutex
	started, stopped bool
	checkPeriod      time.Duration // the shortest period of a resync; 0 if there are none
	registrations    []*registration
	watchError       cache.WatchErrorHandlerWithContext // unchanged once started
	ctx              context.Context                    // of Run
}

func (i *sharedIndexInformer) Run(stop <-chan struct{}) {
	i.RunWithContext(wait.ContextForChannel(stop))
}

func (i *sharedIndexInformer) RunWithContext(ctx context.Context) {
	if !i.start(ctx) {
		klog.FromContext(ctx).Info("Warning: the informer was not run again", "informer", i.description)
		return
	}
	defer i.stop()
	defer context.AfterFunc(ctx, i.stop)()
	var watching sync.WaitGroup
	watching.Go(func() { i.watchOver(ctx) })
	defer watching.Wait()
	if err := i.informer.Run(ctx); errors.Is(err, informer.ErrRunning) {
		<-ctx.Done()
	} else if err != nil {
		utilruntime.HandleErrorWithContext(ctx, err, "The informer did not run", "informer", i.description)
	}
}

func (i *sharedIndexInformer) start(ctx context.Context) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.started {
		return false
	}
	i.started, i.ctx = true, ctx
	return true
}

func (i *sharedIndexInformer) stop() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.stopped = true
}

func (i *sharedIndexInformer) IsStopped() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.stopped
}

// configure calls set unless the informer is native or has started.
func (i *sharedIndexInformer) configure(set func()) error {
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

func (i *sharedIndexInformer) SetTransform(f cache.TransformFunc) error {
	return i.configure(func() { i.transform.f = f })
}

func (i *sharedIndexInformer) SetWatchErrorHandler(f cache.WatchErrorHandler) error {
	return i.SetWatchErrorHandlerWithContext(func(_ context.Context, r *cache.Reflector, err error) { f(r, err) })
}

func (i *sharedIndexInformer) SetWatchErrorHandlerWithContext(f cache.WatchErrorHandlerWithContext) error {
	return i.configure(func() { i.watchError = f })
}

func (i *sharedIndexInformer) AddIndexers(indexers cache.Indexers) error {
	if i.IsStopped() {
		return fmt.Errorf("the informer of %s has stopped: no index was added", i.description)
	}
	return i.indexer.AddIndexers(indexers)
}

func (i *sharedIndexInformer) GetStore() cache.Store           { return i.indexer }
func (i *sharedIndexInformer) GetIndexer() cache.Indexer       { return i.indexer }
func (i *sharedIndexInformer) GetController() cache.Controller { return controller{i} }

func (i *sharedIndexInformer) LastSyncResourceVersion() string {
	return i.indexer.LastStoreSyncResourceVersion()
}

func (i *sharedIndexInformer) HasSynced() bool { return cache.IsDone(i.HasSyncedChecker()) }

func (i *sharedIndexInformer) HasSyncedChecker() cache.DoneChecker {
	return done{"SharedIndexInformer " + i.description, i.informer.Synced()}
}

// done implements cache.DoneChecker.
type done struct {
	name    string
	channel <-chan struct{}
}

func (d done) Name() string          { return d.name }
func (d done) Done() <-chan struct{} { return d.channel }

// controller is the cache.Controller of an informer. It cannot run it.
type controller struct{ i *sharedIndexInformer }

func (c controller) Run(<-chan struct{})                 {}
func (c controller) RunWithContext(context.Context)      {}
func (c controller) HasSynced() bool                     { return c.i.HasSynced() }
func (c controller) HasSyncedChecker() cache.DoneChecker { return c.i.HasSyncedChecker() }
func (c controller) LastSyncResourceVersion() string     { return c.i.LastSyncResourceVersion() }
