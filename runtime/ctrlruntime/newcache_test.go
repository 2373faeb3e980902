// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/go-logr/logr/funcr"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// TestMain drops the error handler that sleeps after an error of another bubble, whose clock differs.
func TestMain(m *testing.M) {
	log.SetLogger(logr.Discard())
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	const theirs = "sigs.k8s.io/controller-runtime/pkg/"
	goleak.VerifyTestMain(m,
		// of an informer that never syncs
		goleak.IgnoreAnyFunction(theirs+"cache.newMultiNamespaceInformer.func1"),
		// of a watch of metadata that cache.New stops while it fails
		goleak.IgnoreAnyFunction("k8s.io/apimachinery/pkg/watch.(*filteredWatch).loop"),
		// of a queue that is shut down with items in it, in v0.24
		goleak.IgnoreAnyFunction(theirs+"controller/priorityqueue.(*priorityqueue[...]).handleReadyItems"))
}

// One watch serves handlers, typed reads and reads by fields and labels.
func TestOneWatch(t *testing.T) {
	s := newAPIServer(t)
	fillServer(s)
	ctx := testContext(t)
	var pods *store.Store[types.NamespacedName, *corev1.Pod]
	var zones store.Index[types.NamespacedName, *corev1.Pod, string]
	seen := make(chan string, 16)
	c := start(t, ctrlruntime.NewCache, s, cache.Options{}, func(c cache.Cache) {
		var err error
		if pods, err = ctrlruntime.StoreOf[*corev1.Pod](ctx, c); err != nil {
			t.Fatal(err)
		}
		zones = store.AddIndex(pods, "Zone", func(dst []string, p *corev1.Pod) []string {
			return append(dst, p.Annotations["zone"])
		})
		store.AddLabels(pods)
		addIndexes(t, c, "structured")
		informer, err := c.GetInformer(ctx, &corev1.Pod{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{AddFunc: func(obj any) {
			pod := obj.(*corev1.Pod)
			if stored, _ := pods.Reader().Get(store.KeyOf(pod)); stored != pod {
				t.Errorf("a handler is called for %s, and the store has %v", pod.Name, stored)
			}
			seen <- pod.Namespace + "/" + pod.Name
		}})
		if err != nil {
			t.Fatal(err)
		}
	})
	if !c.WaitForCacheSync(ctx) {
		t.Fatal("the cache has not synced")
	}
	for range pods.Reader().Len() {
		<-seen
	}
	list := &corev1.PodList{}
	err := c.List(ctx, list, client.MatchingFields{"zone": "zone-b", "name": "2"}, client.MatchingLabels{"app": "app-2"})
	if err != nil || len(list.Items) != 1 || list.Items[0].Name != "2" {
		t.Errorf("listed %v, %v", list.Items, err)
	}
	if n := zones.Count(pods.Reader(), "zone-b"); n != 3 {
		t.Errorf("%d Pods in zone-b", n)
	}
	s.pods.Set(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "new"}})
	if got := <-seen; got != "a/new" {
		t.Errorf("a handler was called for %s", got)
	}
	if watches := s.watches(); watches["/api/v1/pods"] != 1 || watches["/api/v1/nodes"] != 1 {
		t.Errorf("watches: %v", watches)
	}
}

func TestStoreOf(t *testing.T) {
	s := newAPIServer(t)
	ctx := testContext(t)
	fails := func(c cache.Cache, parts ...string) {
		t.Helper()
		_, err := ctrlruntime.StoreOf[*corev1.Pod](ctx, c)
		for _, part := range parts {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("the error %v does not have %q", err, part)
			}
		}
	}
	fails(start(t, cache.New, s, cache.Options{}, nil), "manager.Options", "ctrlruntime.NewCache")
	several := cache.Options{DefaultNamespaces: map[string]cache.Config{"a": {}, "b": {}}}
	fails(start(t, cache.New, s, several, nil), "NewCache", "all namespaces")
	inSeveral := several
	inSeveral.NewInformer = clientgo.NewSharedIndexInformer
	fails(start(t, cache.New, s, inSeveral, nil), "NewCache", "all namespaces")

	ours := cache.Options{NewInformer: clientgo.NewSharedIndexInformer}
	if _, err := ctrlruntime.StoreOf[*corev1.Pod](ctx, start(t, cache.New, s, ours, nil)); err != nil {
		t.Errorf("with NewInformer: %v", err)
	}
	one := cache.Options{DefaultNamespaces: map[string]cache.Config{"a": {}}}
	if _, err := ctrlruntime.StoreOf[*corev1.Pod](ctx, start(t, ctrlruntime.NewCache, s, one, nil)); err != nil {
		t.Errorf("in one namespace: %v", err)
	}
	c := start(t, ctrlruntime.NewCache, s, several, nil)
	if nodes, err := ctrlruntime.InformerOf[*corev1.Node](ctx, c); err != nil {
		t.Errorf("of a cluster-scoped type: %v", err)
	} else if got, want := nodes.Resource(), corev1.SchemeGroupVersion.WithResource("nodes"); got != want {
		t.Errorf("the resource of Nodes is %v", got)
	}
	if _, err := ctrlruntime.StoreOf[*metav1.PartialObjectMetadata](ctx, c); err == nil ||
		!strings.Contains(err.Error(), "alias") || !strings.Contains(err.Error(), "WatchesMetadata") {
		t.Errorf("of a type without a kind: %v", err)
	}
	s.mu.Lock()
	s.fails = runtimetest.Forbidden("list", schema.GroupResource{Resource: "pods"})
	s.mu.Unlock()
	c = start(t, ctrlruntime.NewCache, s, cache.Options{}, nil)
	c.WaitForCacheSync(ctx) // it has started
	short, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	if _, err := ctrlruntime.StoreOf[*corev1.Pod](short, c); err == nil || !strings.Contains(err.Error(), "forbidden") {
		t.Errorf("without permission: %v", err)
	}
}

func TestListNamesTheFieldWithoutIndex(t *testing.T) {
	c := start(t, ctrlruntime.NewCache, newAPIServer(t), cache.Options{}, nil)
	c.WaitForCacheSync(testContext(t)) // it has started
	if err := c.List(testContext(t), &corev1.PodList{}); err != nil {
		t.Fatal(err)
	}
	err := c.List(testContext(t), &corev1.PodList{}, client.MatchingFields{"spec.nodeName": "n"})
	if err == nil || !strings.Contains(err.Error(), "spec.nodeName") || !strings.Contains(err.Error(), "IndexField") ||
		!strings.Contains(err.Error(), "AddPodIndexes") {
		t.Error(err)
	}
}

func TestWaitForSyncSaysWhy(t *testing.T) {
	s := newAPIServer(t)
	s.fails = runtimetest.Forbidden("list", schema.GroupResource{Resource: "pods"})
	c := start(t, ctrlruntime.NewCache, s, cache.Options{DefaultNamespaces: map[string]cache.Config{"a": {}}},
		func(c cache.Cache) {
			if _, err := c.GetInformer(t.Context(), &corev1.Pod{}); err != nil {
				t.Fatal(err)
			}
		})
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	err := ctrlruntime.WaitForSync(ctx, c)
	for _, part := range []string{"informer of pods/v1 has not synced: ", "source a: ", "forbidden"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the error %v does not have %q", err, part)
		}
	}
	if err := ctrlruntime.CacheReady(c)(httptest.NewRequest("", "/", nil)); err == nil ||
		!strings.Contains(err.Error(), "not ready") || !strings.Contains(err.Error(), "forbidden") {
		t.Errorf("the readiness check says %v", err)
	}
	var logged strings.Builder
	logger := funcr.New(func(_, args string) { logged.WriteString(args) }, funcr.Options{})
	if c.WaitForCacheSync(log.IntoContext(ctx, logger)) || !strings.Contains(logged.String(), "forbidden") {
		t.Errorf("WaitForCacheSync logs %q", logged.String())
	}
}

func TestRemoveInformer(t *testing.T) {
	s := newAPIServer(t)
	fillServer(s)
	ctx := testContext(t)
	c := start(t, ctrlruntime.NewCache, s, cache.Options{}, nil)
	c.WaitForCacheSync(ctx)
	var stores [2]*store.Store[types.NamespacedName, *corev1.Pod]
	for i := range stores {
		var err error
		if stores[i], err = ctrlruntime.StoreOf[*corev1.Pod](ctx, c); err != nil {
			t.Fatal(err)
		}
		pod := &corev1.Pod{}
		if err := c.Get(ctx, client.ObjectKey{Namespace: "a", Name: "1"}, pod); err != nil {
			t.Fatal(err)
		}
		if err := c.RemoveInformer(ctx, pod); err != nil {
			t.Fatal(err)
		}
	}
	if n := stores[0].Reader().Len(); stores[0] == stores[1] || n != 6 {
		t.Errorf("a store of %d Pods; the next informer has the same: %v", n, stores[0] == stores[1])
	}
	if n := s.watches()["/api/v1/pods"]; n != 2 {
		t.Errorf("%d informers of Pods watched", n)
	}
}

// Without bookmarks, the first objects are listed.
func TestWithoutBookmarks(t *testing.T) {
	s := newAPIServer(t)
	fillServer(s)
	c := start(t, ctrlruntime.NewCache, s, cache.Options{DefaultEnableWatchBookmarks: new(false)}, nil)
	ctx, list := testContext(t), &corev1.PodList{}
	c.WaitForCacheSync(ctx)
	if err := c.List(ctx, list); err != nil || len(list.Items) != 6 {
		t.Errorf("%d Pods, %v", len(list.Items), err)
	}
	for _, r := range s.pods.Requests() {
		if r.Watch && (r.Options.AllowWatchBookmarks || r.Options.SendInitialEvents != nil) {
			t.Errorf("a watch has the options %v", r.Options)
		}
	}
}

// Errors go to the watch error handler, and SyncPeriod notifies handlers again.
func TestInformerOptions(t *testing.T) {
	s := newAPIServer(t)
	fillServer(s)
	s.fails = runtimetest.Forbidden("list", schema.GroupResource{Resource: "pods"})
	ctx := testContext(t)
	failed, updated := make(chan error, 1), make(chan struct{}, 1)
	opts := cache.Options{
		SyncPeriod: new(time.Second),
		DefaultWatchErrorHandler: func(_ context.Context, _ *toolscache.Reflector, err error) {
			select {
			case failed <- err:
			default:
			}
		},
	}
	start(t, ctrlruntime.NewCache, s, opts, func(c cache.Cache) {
		informer, err := c.GetInformer(ctx, &corev1.Pod{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{UpdateFunc: func(any, any) {
			select {
			case updated <- struct{}{}:
			default:
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
	})
	if err := <-failed; !apierrors.IsForbidden(err) {
		t.Errorf("the watch error handler got %v", err)
	}
	s.mu.Lock()
	s.fails = nil
	s.mu.Unlock()
	select {
	case <-updated:
	case <-ctx.Done():
		t.Fatal("no handler was notified again")
	}
}

// Stats has an informer for each type and form, with a source for each namespace, while it runs.
func TestStats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newUnservedAPIServer()
		fillServer(s)
		c := startInMemory(t, ctrlruntime.NewCache, s, reading("a", "b"), func(c cache.Cache) {
			for _, obj := range []client.Object{&corev1.Pod{}, forms["metadata"].object("Pod"), &corev1.Node{}} {
				if _, err := c.GetInformer(t.Context(), obj); err != nil {
					t.Fatal(err)
				}
			}
		})
		synctest.Wait()
		read := ctrlruntime.Stats(c)
		describe := func() string {
			var all []string
			for _, i := range read() {
				var sources []string
				for _, source := range i.Sources {
					sources = append(sources, source.Name)
				}
				slices.Sort(sources)
				all = append(all, fmt.Sprintf("%s %q %d %q", i.Resource, i.Name, i.Objects, sources))
			}
			slices.Sort(all)
			return strings.Join(all, "\n")
		}
		want := `nodes/v1 "structured" 1 [""]` + "\n" + `pods/v1 "metadata" 5 ["a" "b"]` + "\n" +
			`pods/v1 "structured" 5 ["a" "b"]`
		if got := describe(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
		if err := c.RemoveInformer(t.Context(), &corev1.Node{}); err != nil {
			t.Fatal(err)
		}
		if got := describe(); strings.Contains(got, "nodes") {
			t.Errorf("after RemoveInformer:\n%s", got)
		}
	})
}
