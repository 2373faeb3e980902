// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/trigger"
)

// reading returns options of a cache that reads namespaces.
func reading(namespaces ...string) cache.Options {
	opts := cache.Options{DefaultNamespaces: map[string]cache.Config{}}
	for _, namespace := range namespaces {
		opts.DefaultNamespaces[namespace] = cache.Config{}
	}
	return opts
}

// namesOf returns the sorted keys of the objects in a store.
func namesOf[T metav1.Object](s *store.Store[types.NamespacedName, T]) string {
	var names []string
	for key := range s.Reader().Keys() {
		names = append(names, key.String())
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// shortContext ends after a second.
func shortContext(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	t.Cleanup(cancel)
	return ctx
}

func forbidden() error { return runtimetest.Forbidden("list", corev1.Resource("pods")) }

// One store, one watch for each namespace and one handler serve all namespaces.
func TestOneStoreForSeveralNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newUnservedAPIServer()
		fillServer(s)
		var pods *informer.Informer[*corev1.Pod]
		var byNode store.Index[types.NamespacedName, *corev1.Pod, string]
		var called []string
		c := startInMemory(t, ctrlruntime.NewCache, s, reading("a", "b"), func(c cache.Cache) {
			var err error
			if pods, err = ctrlruntime.InformerOf[*corev1.Pod](t.Context(), c); err != nil {
				t.Fatal(err)
			}
			byNode = store.AddIndex(pods.Store(), "Node", func(dst []string, p *corev1.Pod) []string {
				return append(dst, p.Spec.NodeName)
			})
			i, err := c.GetInformer(t.Context(), &corev1.Pod{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := i.AddEventHandler(toolscache.ResourceEventHandlerFuncs{AddFunc: func(obj any) {
				called = append(called, store.KeyOf(obj.(*corev1.Pod)).String())
			}}); err != nil {
				t.Fatal(err)
			}
		})
		synctest.Wait()
		const all = "a/1 a/2 b/1 b/2 b/3"
		slices.Sort(called)
		if got := strings.Join(called, " "); namesOf(pods.Store()) != all || got != all {
			t.Errorf("the store has %s, and the handler was called for %s", namesOf(pods.Store()), got)
		}
		if n := byNode.Count(pods.Store().Reader(), "node-1"); n != 2 {
			t.Errorf("%d Pods of node-1", n)
		}
		if handlers := pods.Stats().Handlers; len(handlers) != 1 {
			t.Errorf("%d handlers", len(handlers))
		}
		want := map[string]int{"/api/v1/namespaces/a/pods": 1, "/api/v1/namespaces/b/pods": 1}
		if got := s.watches(); !maps.Equal(got, want) {
			t.Errorf("watches: %v", got)
		}
		err := c.Get(t.Context(), client.ObjectKey{Namespace: "c", Name: "1"}, &corev1.Pod{})
		if err == nil || !strings.Contains(err.Error(), `"c" is an unknown namespace`) {
			t.Errorf("in a namespace that is not read: %v", err)
		}
	})
}

// A read in a healthy namespace does not wait for a forbidden one, whose permission may come later.
func TestForbiddenNamespace(t *testing.T) {
	for name, create := range map[string]cache.NewCacheFunc{"whole": ctrlruntime.NewCache, "held": holding()} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newUnservedAPIServer()
				fillServer(s)
				s.failIn("b", forbidden())
				c := startInMemory(t, create, s, reading("a", "b"), nil)
				synctest.Wait()
				began := time.Now()
				if err := c.Get(t.Context(), client.ObjectKey{Namespace: "a", Name: "1"}, &corev1.Pod{}); err != nil {
					t.Error(err)
				}
				list := forms["metadata"].list("Pod")
				if err := c.List(t.Context(), list, client.InNamespace("a")); err != nil {
					t.Error(err)
				}
				if waited := time.Since(began); waited > 0 {
					t.Errorf("the reads in the healthy namespace waited %v", waited)
				}
				for in, read := range map[string]func(context.Context) error{
					"the forbidden namespace": func(ctx context.Context) error {
						return c.Get(ctx, client.ObjectKey{Namespace: "b", Name: "1"}, &corev1.Pod{})
					},
					"all namespaces": func(ctx context.Context) error { return c.List(ctx, list) },
				} {
					err := read(shortContext(t))
					if !apierrors.IsTimeout(err) || !strings.Contains(err.Error(), "source b") ||
						!strings.Contains(err.Error(), "forbidden") {
						t.Errorf("a read in %s: %v", in, err)
					}
				}
				s.failIn("", nil)
				if err := c.Get(t.Context(), client.ObjectKey{Namespace: "b", Name: "1"}, &corev1.Pod{}); err != nil {
					t.Errorf("with the permission: %v", err)
				}
			})
		})
	}
}

// StoreOf before the start does not wait. Afterwards its error names the forbidden namespace.
func TestStoreOfForbiddenNamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newUnservedAPIServer()
		fillServer(s)
		s.failIn("b", forbidden())
		var pods *store.Store[types.NamespacedName, *corev1.Pod]
		c := startInMemory(t, ctrlruntime.NewCache, s, reading("a", "b"), func(c cache.Cache) {
			var err error
			if pods, err = ctrlruntime.StoreOf[*corev1.Pod](t.Context(), c); err != nil {
				t.Fatal(err)
			}
		})
		synctest.Wait()
		if got := namesOf(pods); got != "a/1 a/2" {
			t.Errorf("the store has %s", got)
		}
		_, err := ctrlruntime.StoreOf[*corev1.Pod](shortContext(t), c)
		if err == nil || !strings.Contains(err.Error(), "source b") || !strings.Contains(err.Error(), "forbidden") {
			t.Errorf("after the start: %v", err)
		}
	})
}

// Each namespace has its selector, its transform and its UnsafeDisableDeepCopy.
func TestOptionsByNamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newUnservedAPIServer()
		fillServer(s)
		opts := cache.Options{DefaultNamespaces: map[string]cache.Config{
			"a": {LabelSelector: labels.SelectorFromSet(labels.Set{"app": "app-1"}), UnsafeDisableDeepCopy: new(true)},
			"b": {Transform: func(obj any) (any, error) {
				obj.(*corev1.Pod).Annotations = map[string]string{"from": "b"}
				return obj, nil
			}},
			cache.AllNamespaces: {Transform: func(obj any) (any, error) {
				if obj.(*corev1.Pod).Name == "dropped" {
					return nil, nil
				}
				return obj, nil
			}},
		}}
		s.pods.Set(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "c", Name: "dropped"}})
		c := startInMemory(t, ctrlruntime.NewCache, s, opts, nil)
		synctest.Wait()
		pods, err := ctrlruntime.StoreOf[*corev1.Pod](t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if got := namesOf(pods); got != "a/1 b/1 b/2 b/3 c/1" {
			t.Errorf("the store has %s", got)
		}
		for key, want := range map[client.ObjectKey]string{{Namespace: "a", Name: "1"}: "", {Namespace: "b", Name: "1"}: "b"} {
			var pod corev1.Pod
			if err := c.Get(t.Context(), key, &pod); err != nil || pod.Annotations["from"] != want {
				t.Errorf("%v has the annotations %v, %v", key, pod.Annotations, err)
			}
		}
		var one, two corev1.PodList
		if err := c.List(t.Context(), &one); err != nil {
			t.Fatal(err)
		}
		if err := c.List(t.Context(), &two); err != nil {
			t.Fatal(err)
		}
		for i := range one.Items {
			pod := &one.Items[i]
			if shared := labelsOf(pod) == labelsOf(&two.Items[i]); shared != (pod.Namespace == "a") {
				t.Errorf("two lists share %s/%s: %v", pod.Namespace, pod.Name, shared)
			}
		}
	})
}

// Transforms of namespaces may modify objects under client-go's mutation detector, which then finds a write to a cached
// object. The test runs itself with the variable that turns the detector on, in a process that must end.
func TestMutationDetectorOfNamespaces(t *testing.T) {
	const variable, transformed = "KUBE_CACHE_MUTATION_DETECTOR", "the transforms are no mutations"
	if os.Getenv(variable) == "" {
		child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		child.Env = append(os.Environ(), variable+"=true")
		out, err := child.CombinedOutput()
		for _, text := range []string{transformed, "modified", `"mutated"`} {
			if err == nil || !strings.Contains(string(out), text) {
				t.Fatalf("the process ended with %v, and does not print %q:\n%s", err, text, out)
			}
		}
		return
	}
	synctest.Test(t, func(t *testing.T) {
		s := newUnservedAPIServer()
		fillServer(s)
		opts := cache.Options{DefaultNamespaces: map[string]cache.Config{}}
		for _, namespace := range []string{"a", "b"} {
			opts.DefaultNamespaces[namespace] = cache.Config{Transform: func(obj any) (any, error) {
				obj.(*corev1.Pod).Annotations["from"] = namespace
				return obj, nil
			}}
		}
		c := startInMemory(t, ctrlruntime.NewCache, s, opts, nil)
		synctest.Wait()
		pods, err := ctrlruntime.StoreOf[*corev1.Pod](t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		for _, namespace := range []string{"a", "b"} {
			s.pods.Set(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{
				Namespace: namespace, Name: "1", Annotations: map[string]string{"changed": "yes"},
			}})
		}
		time.Sleep(time.Minute)
		pod, ok := pods.Reader().Get(types.NamespacedName{Namespace: "b", Name: "1"})
		if !ok || pod.Annotations["from"] != "b" || pod.Annotations["changed"] != "yes" {
			t.Fatalf("the store has %v", pod)
		}
		fmt.Println(transformed)
		pod.Annotations["from"] = "mutated"
		time.Sleep(time.Minute)
	})
}

// The shortest resync period of the namespaces is that of the type, and the watch error handler gets the errors of each.
func TestResyncAndErrorsOfNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newUnservedAPIServer()
		fillServer(s)
		s.failIn("b", forbidden())
		updated, failed := map[string]bool{}, make(chan error, 1)
		opts := cache.Options{
			DefaultNamespaces: map[string]cache.Config{"a": {}, "b": {SyncPeriod: new(time.Minute)}},
			DefaultWatchErrorHandler: func(_ context.Context, _ *toolscache.Reflector, err error) {
				select {
				case failed <- err:
				default:
				}
			},
		}
		startInMemory(t, ctrlruntime.NewCache, s, opts, func(c cache.Cache) {
			i, err := c.GetInformer(t.Context(), &corev1.Pod{})
			if err != nil {
				t.Fatal(err)
			}
			_, err = i.AddEventHandler(toolscache.ResourceEventHandlerFuncs{UpdateFunc: func(_, obj any) {
				updated[obj.(*corev1.Pod).Namespace] = true
			}})
			if err != nil {
				t.Fatal(err)
			}
		})
		if err := <-failed; !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), "source b") {
			t.Errorf("the watch error handler got %v", err)
		}
		s.failIn("", nil)
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		if !updated["a"] || !updated["b"] {
			t.Errorf("resynced: %v", updated)
		}
	})
}

// While a namespace is cut off, its objects stay, and the other one goes on. What happened meanwhile comes with it.
func TestNamespaceIsCutOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newUnservedAPIServer()
		fillServer(s)
		var deleted atomic.Int32
		c := startInMemory(t, ctrlruntime.NewCache, s, reading("a", "b"), nil)
		synctest.Wait()
		pods, err := ctrlruntime.InformerOf[*corev1.Pod](t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		pods.AddEventHandler(informer.HandlerFuncs[*corev1.Pod]{
			DeleteFunc: func(informer.Tombstone[*corev1.Pod]) { deleted.Add(1) },
		})
		s.failIn("a", apierrors.NewInternalError(errors.New("down")))
		s.pods.Delete("a", "1")
		s.pods.Set(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "b", Name: "new"}})
		time.Sleep(time.Minute)
		if got := namesOf(pods.Store()); got != "a/1 a/2 b/1 b/2 b/3 b/new" || deleted.Load() > 0 {
			t.Errorf("while a is cut off, the store has %s, %d deletions", got, deleted.Load())
		}
		if err := c.Get(t.Context(), client.ObjectKey{Namespace: "a", Name: "1"}, &corev1.Pod{}); err != nil {
			t.Errorf("while a is cut off: %v", err)
		}
		s.failIn("", nil)
		time.Sleep(5 * time.Minute)
		if got := namesOf(pods.Store()); got != "a/2 b/1 b/2 b/3 b/new" || deleted.Load() != 1 {
			t.Errorf("when a is back, the store has %s, %d deletions", got, deleted.Load())
		}
	})
}

// An informer that ends takes no objects away: no handler gets deletions, and the store keeps them.
func TestEndIsNoDeletion(t *testing.T) {
	for name, end := range map[string]func(context.CancelFunc, cache.Cache) error{
		"stop": func(stop context.CancelFunc, _ cache.Cache) error { stop(); return nil },
		"RemoveInformer": func(_ context.CancelFunc, c cache.Cache) error {
			return c.RemoveInformer(context.Background(), &corev1.Pod{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newUnservedAPIServer()
				fillServer(s)
				opts := reading("a", "b")
				opts.HTTPClient, opts.Mapper = &http.Client{Transport: inMemory{s}}, mapper()
				c, err := ctrlruntime.NewCache(&rest.Config{Host: "http://server"}, opts)
				if err != nil {
					t.Fatal(err)
				}
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				go func() { _ = c.Start(ctx) }()
				synctest.Wait()
				pods, err := ctrlruntime.InformerOf[*corev1.Pod](t.Context(), c)
				if err != nil {
					t.Fatal(err)
				}
				var deleted atomic.Int32
				pods.AddEventHandler(informer.HandlerFuncs[*corev1.Pod]{
					DeleteFunc: func(informer.Tombstone[*corev1.Pod]) { deleted.Add(1) },
				})
				synctest.Wait()
				if err := end(stop, c); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if got := namesOf(pods.Store()); got != "a/1 a/2 b/1 b/2 b/3" || deleted.Load() > 0 {
					t.Errorf("the store has %s, %d deletions", got, deleted.Load())
				}
			})
		})
	}
}

// A trigger follows references from one namespace that the manager reads to another.
func TestTriggerAcrossNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newUnservedAPIServer()
		fillServer(s)
		c := startInMemory(t, ctrlruntime.NewCache, s, reading("a", "b"), nil)
		synctest.Wait()
		pods, err := ctrlruntime.InformerOf[*corev1.Pod](t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		zone := func(dst []string, p *corev1.Pod) []string { return append(dst, p.Spec.NodeName) }
		byNode := store.AddIndex(pods.Store(), "Node", zone)
		onNode := trigger.For(pods)
		trigger.OnShared(onNode, pods, zone, zone, func(node string) iter.Seq[*corev1.Pod] {
			return byNode.Get(pods.Store().Reader(), node)
		})
		var keys []string
		go func() {
			for key := range onNode.Keys(t.Context()) {
				keys = append(keys, key.String())
			}
		}()
		synctest.Wait()
		keys = nil
		s.pods.Set(&corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "1"}, Spec: corev1.PodSpec{NodeName: "node-1"},
		})
		synctest.Wait()
		slices.Sort(keys)
		if got := strings.Join(slices.Compact(keys), " "); got != "a/1 b/1" {
			t.Errorf("a change of a/1 concerns %s", got)
		}
	})
}
