// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/ctrlabsent"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/ctrlread"
)

// optionalServer serves Pods as widgets of a group of their own, which comes and goes.
type optionalServer struct {
	*apiServer
	served, cluster atomic.Bool
	forbidden       atomic.Bool  // in namespace b, also while the type is absent
	answered        atomic.Int32 // that the type is cluster-scoped
}

func (s *optionalServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch path, isWidget := strings.CutPrefix(r.URL.Path, "/apis/example.com/v1"); {
	case r.URL.Path == "/apis" && s.served.Load():
		scope := "Namespaced"
		if s.cluster.Load() {
			scope = "Cluster"
			defer s.answered.Add(1)
		}
		_, _ = w.Write([]byte(`{"kind":"APIGroupDiscoveryList","items":[{"metadata":{"name":"example.com"},"versions":[` +
			`{"version":"v1","resources":[{"resource":"widgets","scope":"` + scope + `"}]}]}]}`))
	case r.URL.Path == "/apis":
		_, _ = w.Write([]byte(`{"kind":"APIGroupList","groups":[{"name":"apps","versions":[{"version":"v1"}]}]}`))
	case s.forbidden.Load() && strings.HasPrefix(path, "/namespaces/b/"):
		answer(w, forbidden())
	case isWidget && s.served.Load():
		r.URL.Path = "/api/v1" + strings.ReplaceAll(path, "widgets", "pods")
		s.apiServer.ServeHTTP(w, r)
	default:
		http.NotFound(w, r)
	}
}

func newWidget() *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"})
	return u
}

// noMapper fails every question.
type noMapper struct{ meta.RESTMapper }

func (noMapper) RESTMapping(kind schema.GroupKind, _ ...string) (*meta.RESTMapping, error) {
	return nil, &meta.NoResourceMatchError{PartialResource: schema.GroupVersionResource{Resource: "the mapper was asked"}}
}

// The first read of a cache may be a List, in one namespace or in several. No read asks the RESTMapper.
func TestFirstReadOfAbsentTypeLists(t *testing.T) {
	for name, namespaces := range map[string]map[string]cache.Config{"all": nil, "two": {"ns": {}, "other": {}}} {
		t.Run(name, func(t *testing.T) {
			s := &optionalServer{apiServer: newUnservedAPIServer()}
			s.served.Store(true)
			s.pods.Set(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a"}})
			server := httptest.NewServer(s)
			defer func() { server.CloseClientConnections(); server.Close() }()
			newCache := ctrlruntime.NewCacheWith(ctrlabsent.MayBeAbsent(newWidget(), "widgets", meta.RESTScopeNamespace))
			c, err := newCache(&rest.Config{Host: server.URL}, cache.Options{Mapper: noMapper{}, DefaultNamespaces: namespaces})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- c.Start(ctx) }()
			defer func() { cancel(); <-ended }()
			if !c.WaitForCacheSync(ctx) {
				t.Fatal("the cache has not started")
			}
			list := &unstructured.UnstructuredList{}
			list.SetGroupVersionKind(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "WidgetList"})
			if err := c.List(ctx, list); err != nil || len(list.Items) != 1 {
				t.Errorf("%d objects, %v", len(list.Items), err)
			}
		})
	}
}

// A type is absent or present in each namespace. Here one namespace is forbidden before the type is known to be absent,
// and again when the type is installed.
func TestAbsentInOneNamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &optionalServer{apiServer: newUnservedAPIServer()}
		fillServer(s.apiServer)
		s.url = "http://server"
		opts := reading("a", "b")
		opts.HTTPClient = &http.Client{Transport: inMemory{s}}
		newCache := ctrlruntime.NewCacheWith(ctrlabsent.MayBeAbsent(newWidget(), "widgets", meta.RESTScopeNamespace))
		c := start(t, newCache, s.apiServer, opts, nil)
		synctest.Wait()
		reads := func(want string) {
			t.Helper()
			list := &unstructured.UnstructuredList{}
			list.SetGroupVersionKind(newWidget().GroupVersionKind())
			var got []string
			for _, err := range []error{
				c.Get(shortContext(t), client.ObjectKey{Namespace: "a", Name: "1"}, newWidget()),
				c.List(shortContext(t), list, client.InNamespace("a")),
				c.Get(shortContext(t), client.ObjectKey{Namespace: "b", Name: "1"}, newWidget()),
				c.List(shortContext(t), list),
			} {
				switch {
				case err == nil:
					got = append(got, "present")
				case meta.IsNoMatchError(err):
					got = append(got, "absent")
				default:
					got = append(got, string(apierrors.ReasonForError(err)))
				}
			}
			if got := strings.Join(got, ", "); got != want {
				t.Errorf("Get and List in a, Get in b, and List return %s; want %s", got, want)
			}
		}
		s.forbidden.Store(true)
		reads("absent, absent, Timeout, absent")
		s.forbidden.Store(false)
		time.Sleep(5 * time.Minute)
		reads("absent, absent, absent, absent")
		s.forbidden.Store(true)
		s.served.Store(true)
		time.Sleep(5 * time.Minute)
		reads("present, present, absent, absent")
		s.forbidden.Store(false)
		time.Sleep(5 * time.Minute)
		reads("present, present, present, present")
	})
}

// WhenPresent adds its requests when the type is installed, also for a type of which only the metadata is held.
func TestWhenPresent(t *testing.T) {
	absent := ctrlabsent.MayBeAbsent(newWidget(), "widgets", meta.RESTScopeNamespace)
	for name, options := range map[string][]ctrlruntime.CacheOption{
		"whole objects": {absent}, "held by metadata": {absent, ctrlread.HoldRead(newWidget())},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &optionalServer{apiServer: newUnservedAPIServer()}
				s.url = "http://server"
				opts := reading()
				opts.HTTPClient = &http.Client{Transport: inMemory{s}}
				c := start(t, ctrlruntime.NewCacheWith(options...), s.apiServer, opts, nil)
				queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
				defer queue.ShutDown()
				one := func(context.Context) []reconcile.Request { return make([]reconcile.Request, 1) }
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if err := ctrlabsent.WhenPresent(c, newWidget(), one).Start(ctx, queue); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if queue.Len() != 0 {
					t.Error("a request for an absent type")
				}
				s.served.Store(true)
				time.Sleep(time.Hour)
				synctest.Wait()
				if queue.Len() != 1 {
					t.Errorf("%d requests after the type was installed", queue.Len())
				}
			})
		})
	}
}

func TestMayBeAbsent(t *testing.T) {
	for name, namespaces := range map[string]map[string]cache.Config{"all": nil, "two": {"ns": {}, "other": {}}} {
		t.Run(name, func(t *testing.T) {
			s := &optionalServer{apiServer: newUnservedAPIServer()}
			s.pods.Set(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a"}})
			server := httptest.NewServer(s)
			defer func() { server.CloseClientConnections(); server.Close() }()
			newCache := ctrlruntime.NewCacheWith(ctrlabsent.MayBeAbsent(newWidget(), "widgets", meta.RESTScopeNamespace))
			c, err := newCache(&rest.Config{Host: server.URL}, cache.Options{
				Mapper: noMapper{}, ByObject: map[client.Object]cache.ByObject{newWidget(): {}}, DefaultNamespaces: namespaces,
			})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- c.Start(ctx) }()
			defer func() { cancel(); <-ended }()
			if !c.WaitForCacheSync(ctx) {
				t.Fatal("the cache has not started")
			}
			i, err := c.GetInformer(ctx, newWidget())
			if err != nil {
				t.Fatal(err)
			}
			var added atomic.Int32
			if _, err := i.AddEventHandler(toolscache.ResourceEventHandlerFuncs{AddFunc: func(any) { added.Add(1) }}); err != nil {
				t.Fatal(err)
			}
			partial := &metav1.PartialObjectMetadata{}
			partial.SetGroupVersionKind(newWidget().GroupVersionKind())
			reads := func() (errs []error) {
				list := &unstructured.UnstructuredList{}
				list.SetGroupVersionKind(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "WidgetList"})
				key := client.ObjectKey{Namespace: "ns", Name: "a"}
				return []error{c.Get(ctx, key, newWidget()), c.Get(ctx, key, partial.DeepCopy()), c.List(ctx, list)}
			}
			for _, err := range reads() {
				if !meta.IsNoMatchError(err) || strings.Contains(err.Error(), "mapper") {
					t.Errorf("a read while absent: %v", err)
				}
			}
			if !i.HasSynced() {
				t.Error("an absent type has not synced")
			}
			s.cluster.Store(true)
			s.served.Store(true)
			ctrlabsent.Wake(c)
			for s.answered.Load() == 0 {
				time.Sleep(10 * time.Millisecond)
			}
			if err := reads()[0]; !meta.IsNoMatchError(err) {
				t.Errorf("a read with another scope: %v", err)
			}
			s.cluster.Store(false)
			ctrlabsent.Wake(c)
			for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
				errs := reads()
				if errs[0] == nil && errs[1] == nil && errs[2] == nil && added.Load() == 1 {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("reads while present: %v, %d additions", errs, added.Load())
				}
			}
		})
	}
}
