// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
)

// Goroutines that make, read and remove informers at the same time leave a cache that answers what
// controller-runtime's answers, also with HoldRead.
func TestInformersRemovedWhileInUse(t *testing.T) {
	const rounds, workers, calls = 60, 8, 12
	for seed := range uint64(rounds) {
		synctest.Test(t, func(t *testing.T) {
			r := randomCalls{rand.New(rand.NewPCG(seed, 1))}
			s := newUnservedAPIServer()
			fillServer(s)
			opts := cache.Options{HTTPClient: &http.Client{Transport: inMemory{s}}, Mapper: mapper()}
			several := pick(r, 0, 1, 5, 20)
			if several > 0 {
				opts.DefaultNamespaces = map[string]cache.Config{"a": {}}
			}
			for i := range several - 1 {
				opts.DefaultNamespaces[string(rune('b'+i))] = cache.Config{}
			}
			create, held := cache.NewCacheFunc(ctrlruntime.NewCache), r.oneIn(2)
			if held {
				create = holding()
			}
			var caches [2]cache.Cache
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			for i, create := range []cache.NewCacheFunc{cache.New, create} {
				var err error
				if caches[i], err = create(&rest.Config{Host: "http://server", QPS: -1}, opts); err != nil {
					t.Fatal(err)
				}
				go func() { _ = caches[i].Start(ctx) }()
			}
			synctest.Wait()
			theirs, ours := caches[0], caches[1]

			var wg sync.WaitGroup
			for worker := range uint64(workers) {
				r := randomCalls{rand.New(rand.NewPCG(seed, 2+worker))}
				wg.Go(func() {
					for range calls {
						callDuringRemovals(ctx, r, ours)
					}
				})
			}
			wg.Wait()
			synctest.Wait()
			for _, form := range []string{"structured", "metadata"} {
				lists := !held || form == "metadata"
				if got, want := namesIn(ctx, ours, form, lists), namesIn(ctx, theirs, form, lists); got != want {
					t.Errorf("seed %d, %d namespaces, %s:\nours\n%s\ntheirs\n%s", seed, several, form, got, want)
				}
			}
		})
		if t.Failed() {
			return
		}
	}
}

// hookedObject is an object whose kind is read by a function.
type hookedObject struct {
	*unstructured.Unstructured
	onRead func()
}

func (o hookedObject) GetObjectKind() schema.ObjectKind {
	o.onRead()
	return o.Unstructured.GetObjectKind()
}

// RemoveInformer leaves no informer that has ended, also if others make informers meanwhile.
func TestInformersMadeDuringRemoval(t *testing.T) {
	for skipped := range 8 {
		synctest.Test(t, func(t *testing.T) {
			s := newUnservedAPIServer()
			fillServer(s)
			c := startInMemory(t, ctrlruntime.NewCache, s, cache.Options{}, nil)
			synctest.Wait()
			pod := forms["unstructured"].object("Pod")
			reads := 0
			err := c.RemoveInformer(t.Context(), hookedObject{pod.(*unstructured.Unstructured), func() {
				if reads++; reads > skipped {
					if _, err := c.GetInformer(t.Context(), pod); err != nil {
						t.Error(err)
					}
				}
			}})
			if err != nil {
				t.Error(err)
			}
			synctest.Wait()
			s.pods.Set(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "new"}})
			synctest.Wait()
			if err := c.Get(t.Context(), client.ObjectKey{Namespace: "a", Name: "new"}, pod); err != nil {
				t.Errorf("an informer was made at each read of the kind but the first %d: %v", skipped, err)
			}
		})
	}
}

// failingMapper fails one request.
type failingMapper struct {
	meta.RESTMapper
	requests, failing int
}

func (m *failingMapper) RESTMapping(kind schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	if m.requests++; m.requests == m.failing {
		return nil, errors.New("the mapper fails")
	}
	return m.RESTMapper.RESTMapping(kind, versions...)
}

// A read returns the error of the RESTMapper, whenever it fails. The next read makes an informer that runs.
func TestFailingMapper(t *testing.T) {
	for form, f := range forms {
		for failing := 1; ; failing++ {
			failed := false
			synctest.Test(t, func(t *testing.T) {
				s := newUnservedAPIServer()
				fillServer(s)
				opts := reading("a", "b")
				m := &failingMapper{RESTMapper: mapper(), failing: failing}
				opts.HTTPClient, opts.Mapper = &http.Client{Transport: inMemory{s}}, m
				c, err := ctrlruntime.NewCache(&rest.Config{Host: "http://server"}, opts)
				if err != nil {
					t.Fatal(err)
				}
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				go func() { _ = c.Start(ctx) }()
				synctest.Wait()
				key, began := client.ObjectKey{Namespace: "a", Name: "1"}, time.Now()
				err = c.Get(shortContext(t), key, f.object("Pod"))
				failed = m.requests >= failing
				if failed != (err != nil) || failed && !strings.Contains(err.Error(), "the mapper fails") || time.Since(began) > 0 {
					t.Errorf("%s, request %d of the mapper fails: %v after %v", form, failing, err, time.Since(began))
				}
				if err := c.Get(shortContext(t), key, f.object("Pod")); err != nil {
					t.Errorf("%s, after request %d of the mapper has failed: %v", form, failing, err)
				}
				if err := ctrlruntime.WaitForSync(shortContext(t), c); err != nil {
					t.Errorf("%s, after request %d of the mapper has failed: %v", form, failing, err)
				}
			})
			if !failed || t.Failed() {
				break
			}
		}
	}
}

// callDuringRemovals makes a random call. GetInformer waits for an informer that is removed until its context ends, as in
// controller-runtime's cache.
func callDuringRemovals(ctx context.Context, r randomCalls, c cache.Cache) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	f := forms[pick(r, "structured", "metadata", "metadata")]
	pod := f.object("Pod")
	switch r.IntN(5) {
	case 0:
		_ = c.Get(ctx, client.ObjectKey{Namespace: pick(r, "a", "b"), Name: "1"}, pod)
	case 1:
		_ = c.List(ctx, f.list("Pod"), client.InNamespace(pick(r, "", "a", "b")))
	case 2:
		_, _ = c.GetInformer(ctx, pod)
	case 3:
		_ = c.RemoveInformer(ctx, pod)
	default:
		_, _ = ctrlruntime.InformerOf[*corev1.Pod](ctx, c)
	}
}

// namesIn describes what Get, and List if lists is set, return for each namespace that has Pods.
func namesIn(ctx context.Context, c cache.Cache, form string, lists bool) string {
	f, pod := forms[form], forms[form].object("Pod")
	var lines []string
	for _, namespace := range []string{"a", "b", "c"} {
		err := c.Get(ctx, client.ObjectKey{Namespace: namespace, Name: "1"}, pod)
		lines = append(lines, fmt.Sprint("get ", namespace, " ", describeError(err)))
	}
	for _, namespace := range []string{"", "a", "b", "c"} {
		if !lists {
			break
		}
		list := f.list("Pod")
		err := c.List(ctx, list, client.InNamespace(namespace))
		items, _ := meta.ExtractList(list)
		var names []string
		for _, item := range items {
			m, _ := meta.Accessor(item)
			names = append(names, m.GetNamespace()+"/"+m.GetName())
		}
		slices.Sort(names)
		lines = append(lines, fmt.Sprint("list ", namespace, " ", names, " ", describeError(err)))
	}
	return strings.Join(lines, "\n")
}
