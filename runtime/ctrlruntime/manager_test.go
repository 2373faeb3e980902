// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"sync/atomic"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// startManager starts a manager with reconcilers of Pods and stops it at the end of the test. prepare is
// called before the start.
func startManager(
	t *testing.T, s *apiServer, prepare func(manager.Manager), reconcilers ...reconcile.Func,
) manager.Manager {
	t.Helper()
	m, err := manager.New(s.config(), manager.Options{
		NewCache: ctrlruntime.NewCache, Metrics: server.Options{BindAddress: "0"},
		Controller:     config.Controller{SkipNameValidation: new(true)},
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) { return mapper(), nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	prepare(m)
	for i, r := range reconcilers {
		if err := builder.ControllerManagedBy(m).Named(fmt.Sprint("pods-", i)).For(&corev1.Pod{}).Complete(r); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- m.Start(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		m.GetHTTPClient().CloseIdleConnections()
	})
	return m
}

// Three reconcilers, reads by fields and typed reads share a watch. The store has each object that a
// reconciler is called for.
func TestManager(t *testing.T) {
	s, ctx := newAPIServer(t), testContext(t)
	fillServer(s)
	var pods *store.Store[types.NamespacedName, *corev1.Pod]
	var missing atomic.Int64
	called := make(chan types.NamespacedName, 64)
	reconciler := func(_ context.Context, r reconcile.Request) (reconcile.Result, error) {
		if _, ok := pods.Reader().Get(r.NamespacedName); !ok {
			missing.Add(1)
		}
		called <- r.NamespacedName
		return reconcile.Result{}, nil
	}
	m := startManager(t, s, func(m manager.Manager) {
		var err error
		if pods, err = ctrlruntime.StoreOf[*corev1.Pod](ctx, m.GetCache()); err != nil {
			t.Fatal(err)
		}
		addIndexes(t, m.GetCache(), "structured")
	}, reconciler, reconciler, reconciler)
	for range 3 * 6 {
		<-called
	}
	s.pods.Set(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "new"}})
	for range 3 {
		if got := <-called; got.Name != "new" {
			t.Errorf("a reconciler was called for %v", got)
		}
	}
	list := &corev1.PodList{}
	if err := m.GetClient().List(ctx, list, client.MatchingFields{"name": "1", "zone": "zone-b"}); err != nil ||
		len(list.Items) != 1 {
		t.Errorf("listed %d Pods, %v", len(list.Items), err)
	}
	if n := missing.Load(); n > 0 {
		t.Errorf("%d times the store did not have the object of a reconciler", n)
	}
	if n := s.watches()["/api/v1/pods"]; n != 1 {
		t.Errorf("%d watches", n)
	}
}

// An object that is created while the first ones are queued is reconciled before them.
func TestNewObjectsGoFirst(t *testing.T) {
	s, ctx := newAPIServer(t), testContext(t)
	for i := range 2000 {
		s.pods.Set(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: fmt.Sprint("pod-", i)}})
	}
	var informer toolscache.SharedInformer
	calls, after := 0, make(chan int, 1)
	startManager(t, s, func(m manager.Manager) {
		i, err := m.GetCache().GetInformer(ctx, &corev1.Pod{})
		if err != nil {
			t.Fatal(err)
		}
		informer = i.(toolscache.SharedInformer)
	}, func(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
		if calls++; calls == 10 {
			s.pods.Set(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "n", Name: "new"}})
			for !handled(informer, "n/new") {
				if ctx.Err() != nil {
					return reconcile.Result{}, errors.New("the new Pod has not come")
				}
				runtime.Gosched()
			}
		}
		if r.Name == "new" {
			after <- calls - 10
		}
		return reconcile.Result{}, nil
	})
	select {
	case n := <-after:
		if n > 100 {
			t.Errorf("%d Pods were reconciled before the new one", n)
		}
	case <-ctx.Done():
		t.Fatal("the new Pod was not reconciled")
	}
}

// handled reports whether an informer has an object, and no handler has pending changes.
func handled(i toolscache.SharedInformer, key string) bool {
	if _, ok, _ := i.GetStore().GetByKey(key); !ok {
		return false
	}
	stats, _ := clientgo.Stats(i)
	for _, h := range stats.Handlers {
		if h.Pending > 0 {
			return false
		}
	}
	return true
}
