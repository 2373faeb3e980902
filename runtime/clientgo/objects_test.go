// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

func TestInformerIndexers(t *testing.T) {
	testInformers(t, 0, func(t *informerTest) {
		byNode := func(obj any) ([]string, error) { return []string{podOf(obj).Spec.NodeName}, nil }
		noError(t.T, t.AddIndexers(cache.Indexers{"node": byNode}))
		t.source.Add(t.pod("a"))
		t.start()
		noError(t.T, t.GetIndexer().AddIndexers(cache.Indexers{"late": byNode}))
		noError(t.T, t.AddIndexers(cache.Indexers{"later": byNode}))
		t.source.Add(t.pod("b"))
		t.settle()
		for _, name := range []string{"node", "late", "later"} {
			for _, pod := range []string{"a", "b"} {
				keys, err := t.GetIndexer().IndexKeys(name, "node-of-"+pod)
				noError(t.T, err)
				t.want(name, keys, []string{"ns/" + pod})
			}
		}
	})
}

// TestFilledStore fills the store of an informer that does not run, as tests of controllers do.
func TestFilledStore(t *testing.T) {
	testInformers(t, 0, func(t *informerTest) {
		noError(t.T, t.GetStore().Add(t.pod("a")), t.GetIndexer().Add(t.pod("b")))
		found, err := t.GetIndexer().ByIndex(cache.NamespaceIndex, "ns")
		noError(t.T, err)
		t.want("objects", len(found), 2)
		noError(t.T, t.GetStore().Delete(t.pod("a")))
		t.want("keys", t.GetIndexer().ListKeys(), []string{"ns/b"})
		t.source.Add(t.pod("c")) // the source knows nothing of b
		h := t.add()
		t.start()
		t.want("keys", t.GetIndexer().ListKeys(), []string{"ns/c"})
		calls := h.take()
		if !slices.Contains(calls, "add c true") || !slices.Contains(calls, "unknown ns/b b") {
			t.Errorf("calls: %q", calls)
		}
	})
}

// TestDynamicObjects runs informers of objects without a Go type of their own.
func TestDynamicObjects(t *testing.T) {
	for name, example := range map[string]interface {
		runtime.Object
		metav1.Object
	}{
		"unstructured": &unstructured.Unstructured{Object: map[string]any{"kind": "Widget", "apiVersion": "v1"}},
		"metadata": &metav1.PartialObjectMetadata{
			TypeMeta: metav1.TypeMeta{Kind: "Widget", APIVersion: "v1"},
		},
	} {
		named := func(name, version string) runtime.Object {
			obj := example.DeepCopyObject()
			obj.(metav1.Object).SetName(name)
			obj.(metav1.Object).SetResourceVersion(version)
			return obj
		}
		for kind, make := range map[string]constructor{
			"client-go": cache.NewSharedIndexInformer, "ours": clientgo.NewSharedIndexInformer,
		} {
			t.Run(name+" "+kind, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					events := watch.NewFakeWithChanSize(3, false)
					list := &metav1.List{
						ListMeta: metav1.ListMeta{ResourceVersion: "1"},
						Items:    []runtime.RawExtension{{Object: named("listed", "1")}},
					}
					i := make(&cache.ListWatch{
						ListFunc: func(metav1.ListOptions) (runtime.Object, error) { return list, nil },
						WatchFunc: func(opts metav1.ListOptions) (watch.Interface, error) {
							if opts.SendInitialEvents != nil {
								return nil, apierrors.NewBadRequest("no WatchLists")
							}
							return events, nil
						},
					}, example, 0, cache.Indexers{})
					it := &informerTest{SharedIndexInformer: i, T: t}
					events.Add(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "wrong", ResourceVersion: "2"}})
					if name == "unstructured" {
						other := named("other", "3").(*unstructured.Unstructured)
						other.SetKind("Gadget")
						events.Add(other)
					}
					events.Add(named("watched", "4"))
					it.start()
					want(t, "keys", sorted(i.GetStore().ListKeys()), []string{"listed", "watched"})
					it.stop()
				})
			})
		}
	}
}

// TestFactory replaces the informer of one type in a SharedInformerFactory.
func TestFactory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := fake.NewClientset(podIn("n", "a"), podIn("n", "b"))
		factory := informers.NewSharedInformerFactory(client, time.Hour)
		ours := factory.InformerFor(&corev1.Pod{}, func(
			client kubernetes.Interface, resync time.Duration,
		) cache.SharedIndexInformer {
			lw := cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
				ListWithContextFunc: func(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
					return client.CoreV1().Pods("").List(ctx, opts)
				},
				WatchFuncWithContext: func(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
					return client.CoreV1().Pods("").Watch(ctx, opts)
				},
			}, client)
			return clientgo.NewSharedIndexInformer(lw, &corev1.Pod{}, resync, cache.Indexers{
				cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
			})
		})
		if _, ok := clientgo.Stats(factory.Core().V1().Pods().Informer()); !ok {
			t.Fatal("the factory has an informer of its own")
		}
		stop := make(chan struct{})
		factory.Start(stop)
		factory.WaitForCacheSync(stop)
		pods, err := factory.Core().V1().Pods().Lister().Pods("n").List(labels.Everything())
		noError(t, err)
		if len(pods) != 2 || ours.LastSyncResourceVersion() == "" {
			t.Errorf("%d pods, version %q", len(pods), ours.LastSyncResourceVersion())
		}
		watches := 0
		for _, action := range client.Actions() {
			if action.Matches("watch", "pods") {
				watches++
			}
		}
		if watches != 1 {
			t.Errorf("%d watches", watches)
		}
		close(stop)
		factory.Shutdown()
	})
}

// TestNamelessFixture reads an object without a name from a fake clientset, as client-go's informer does.
func TestNamelessFixture(t *testing.T) {
	for name, newInformer := range map[string]constructor{
		"client-go": cache.NewSharedIndexInformer, "ours": clientgo.NewSharedIndexInformer,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				pods := fake.NewClientset(podIn("n", ""), podIn("n", "a")).CoreV1().Pods("n")
				i := newInformer(clientgo.ListWatch(pods, nil), &corev1.Pod{}, 0, cache.Indexers{
					cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
				})
				stop := make(chan struct{})
				done := make(chan struct{})
				go func() {
					defer close(done)
					i.Run(stop)
				}()
				synctest.Wait()
				if !i.HasSynced() {
					t.Error("the informer has not synced")
				}
				keys := i.GetStore().ListKeys()
				slices.Sort(keys)
				if want := []string{"n/", "n/a"}; !slices.Equal(keys, want) {
					t.Errorf("the keys are %q, want %q", keys, want)
				}
				_, found, err := i.GetStore().GetByKey("n/")
				if !found || err != nil {
					t.Errorf("by its key: %v, %v", found, err)
				}
				close(stop)
				<-done
			})
		})
	}
}
