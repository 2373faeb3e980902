// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/lister"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func newSecret(name string, annotations map[string]string) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, Annotations: annotations}}
}

// run runs an informer of api until the test ends.
func run(t *testing.T, api *runtimetest.Server[*corev1.Secret], opts ...informer.Option) *informer.Informer[*corev1.Secret] {
	t.Helper()
	i := informer.New(corev1.SchemeGroupVersion.WithResource("secrets"), api.Source(), store.ForObjects[*corev1.Secret](), opts...)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- i.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return i
}

// users returns requests for the names in the annotation users of a Secret.
func users(_ context.Context, s *corev1.Secret) (all []reconcile.Request) {
	for name := range strings.FieldsSeq(s.Annotations["users"]) {
		all = append(all, reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "ns", Name: name}})
	}
	return all
}

// drain removes all requests from queue, and returns the priority of each name.
func drain(queue priorityqueue.PriorityQueue[reconcile.Request]) map[string]int {
	priorities := map[string]int{}
	for queue.Len() > 0 {
		request, priority, _ := queue.GetWithPriority()
		queue.Done(request)
		priorities[request.Name] = priority
	}
	return priorities
}

func TestSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		queue := priorityqueue.New[reconcile.Request]("test")
		defer queue.ShutDown()
		api := runtimetest.NewServer[*corev1.Secret]()
		api.Set(newSecret("a", map[string]string{"users": "one two"}))
		api.Set(newSecret("ignored", map[string]string{"users": "three"}))
		i := run(t, api)
		src := ctrlruntime.Source(i, handler.TypedEnqueueRequestsFromMapFunc(users),
			predicate.NewTypedPredicateFuncs(func(s *corev1.Secret) bool { return s.Name != "ignored" }),
			predicate.TypedFuncs[*corev1.Secret]{
				UpdateFunc: func(e event.TypedUpdateEvent[*corev1.Secret]) bool { return e.ObjectOld.UID == e.ObjectNew.UID },
			})
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		if err := src.Start(ctx, queue); err != nil {
			t.Fatal(err)
		}
		if err := src.Start(ctx, queue); err == nil {
			t.Error("the source was started twice")
		}
		if err := src.WaitForSync(ctx); err != nil {
			t.Fatal(err)
		}
		expect := func(when string, want map[string]int) {
			t.Helper()
			synctest.Wait()
			if got := drain(queue); !maps.Equal(got, want) {
				t.Errorf("%s, the queue has %v, want %v", when, got, want)
			}
		}
		expect("once it has synced", map[string]int{"one": handler.LowPriority, "two": handler.LowPriority})
		api.Set(newSecret("a", map[string]string{"users": "two four"}))
		expect("after an update", map[string]int{"one": 0, "two": 0, "four": 0})
		api.Set(newSecret("b", map[string]string{"users": "five"}))
		api.Set(newSecret("ignored", map[string]string{"users": "six"}))
		expect("after an addition", map[string]int{"five": 0})
		api.Delete("ns", "b")
		api.Delete("ns", "ignored")
		expect("after a deletion", map[string]int{"five": 0})
		cancel()
		synctest.Wait()
		api.Set(newSecret("c", map[string]string{"users": "seven"}))
		expect("after the end", map[string]int{})
	})
}

// A new object does not wait for those of the initial list, and the lister has every object for
// which the reconciler is called.
func TestNewObjectsOvertakeTheInitialList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const initial = 10000
		api := runtimetest.NewServer[*corev1.Secret]()
		for n := range initial {
			api.Set(newSecret(fmt.Sprint("initial-", n), nil))
		}
		i := run(t, api)
		secrets := lister.New(i.Store(), i.Resource().GroupResource())
		reconciled, missing, waited := 0, 0, -1
		created := 0 // after so many
		c, err := controller.NewUnmanaged("overtaking", controller.Options{
			SkipNameValidation: new(true),
			Reconciler: reconcile.Func(func(_ context.Context, r reconcile.Request) (reconcile.Result, error) {
				if _, err := secrets.Namespace(r.Namespace).Get(r.Name); err != nil {
					missing++
				}
				if reconciled++; reconciled == 1000 {
					created = reconciled
					api.Set(newSecret("new", nil))
				}
				if r.Name == "new" {
					waited = reconciled - created
				}
				time.Sleep(10 * time.Millisecond) // the work
				return reconcile.Result{}, nil
			}),
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Watch(ctrlruntime.Source(i, &handler.TypedEnqueueRequestForObject[*corev1.Secret]{})); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), (initial+10)*10*time.Millisecond)
		defer cancel()
		if err := c.Start(ctx); err != nil {
			t.Fatal(err)
		}
		if missing > 0 || waited < 0 || waited > 100 || reconciled != initial+1 {
			t.Errorf("of %d reconciles, %d did not find their object; a new object waited for %d others",
				reconciled, missing, waited)
		}
	})
}

func TestSourceSaysWhyItDoesNotSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := runtimetest.NewServer[*corev1.Secret]()
		api.NoWatchList = true
		for range 1000 {
			api.Fail(runtimetest.Forbidden("list", corev1.Resource("secrets")))
		}
		i := run(t, api)
		newController := func(timeout time.Duration) controller.Controller {
			c, err := controller.NewUnmanaged("syncing", controller.Options{
				CacheSyncTimeout:   timeout,
				SkipNameValidation: new(true),
				Reconciler:         reconcile.Func(nil),
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Watch(ctrlruntime.Source(i, &handler.TypedEnqueueRequestForObject[*corev1.Secret]{})); err != nil {
				t.Fatal(err)
			}
			return c
		}
		err := newController(time.Minute).Start(t.Context())
		if err == nil || !strings.Contains(err.Error(), "informer source: secrets") ||
			!strings.Contains(err.Error(), "forbidden") {
			t.Errorf("the controller fails with %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		stopped, stop := context.WithCancel(ctx)
		time.AfterFunc(time.Second, stop)
		if err := newController(time.Hour).Start(stopped); err != nil {
			t.Errorf("a controller that is stopped fails with %v", err)
		}
	})
}

// A controller may have requests of its own type.
func TestTypedSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		queue := priorityqueue.New[types.UID]("test")
		defer queue.ShutDown()
		api := runtimetest.NewServer[*corev1.Secret]()
		s := newSecret("a", nil)
		s.UID = "uid"
		api.Set(s)
		src := ctrlruntime.TypedSource(run(t, api), handler.TypedEnqueueRequestsFromMapFunc(
			func(_ context.Context, s *corev1.Secret) []types.UID { return []types.UID{s.UID} }))
		if err := src.Start(t.Context(), queue); err != nil {
			t.Fatal(err)
		}
		if err := src.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		if uid, _ := queue.Get(); uid != "uid" {
			t.Errorf("the queue has %s", uid)
		}
	})
}
