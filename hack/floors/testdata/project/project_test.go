// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package project

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/watch"
	dynamicfake "k8s.io/client-go/dynamic/fake"
	typedfake "k8s.io/client-go/kubernetes/typed/core/v1/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"

	v1 "example.com/project/api/v1"
	"example.com/project/builtin"
)

// start runs an informer, or several, until the test ends, and waits until they have synced.
func start(t *testing.T, run, sync func(context.Context) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	waiting, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	if err := sync(waiting); err != nil {
		t.Fatal(err)
	}
}

func count[T any](seq func(yield func(T) bool)) (n int) {
	for range seq {
		n++
	}
	return n
}

// The emitted indexes answer, and a controller's queue is filled.
func TestEmitted(t *testing.T) {
	srv := runtimetest.NewServer[*v1.Widget]()
	secret, due := "s", metav1.NewTime(time.Unix(1, 0))
	srv.Set(&v1.Widget{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a", Labels: map[string]string{"tier": "gold"}},
		Spec:       v1.WidgetSpec{Node: "n1", Secret: &secret, Due: due},
	})
	informers := v1.NewInformers(v1.InformerSources{Widgets: srv.Source()})
	widgets := informers.Widgets()
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
	defer queue.ShutDown()
	if err := enqueue(widgets).Start(t.Context(), queue); err != nil {
		t.Fatal(err)
	}
	start(t, informers.Run, informers.WaitForSync)
	version := srv.Set(&v1.Widget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "bb"}, Spec: v1.WidgetSpec{Node: "n1"}})
	l := widgets.Lister()
	if err := l.WaitFor(t.Context(), version); err != nil {
		t.Fatal(err)
	}
	if n := count(l.ByNode("n1")); n != 2 {
		t.Errorf("%d widgets on n1, want 2", n)
	}
	if n := count(l.ByNodeAndTier("n1", "gold")); n != 1 {
		t.Errorf("%d gold widgets on n1, want 1", n)
	}
	if w, ok := l.BySecretName("s"); !ok || w.Name != "a" {
		t.Errorf("the widget with secret s is %v", w)
	}
	if n := count(l.ByNameLength(2)); n != 1 {
		t.Errorf("%d widgets with names of two letters, want 1", n)
	}
	if item, _ := queue.Get(); item.Namespace != "ns" {
		t.Errorf("the queue has %v", item)
	}
}

// An informer reads through client-go's dynamic client.
func TestDynamicClient(t *testing.T) {
	widgets := schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}
	obj := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"namespace": "ns", "name": "a"},
	}}
	client := dynamicfake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), map[schema.GroupVersionResource]string{widgets: "WidgetList"}, obj)
	src := source.FromClient(client.Resource(widgets), func(l *unstructured.UnstructuredList) []unstructured.Unstructured { return l.Items })
	objects := store.ForObjects[*unstructured.Unstructured]()
	inf := informer.New(widgets, src, objects, informer.WithReflector(reflector.Settings{NoWatchList: true}))
	start(t, inf.Run, inf.WaitForSync)
	if n := objects.Reader().Len(); n != 1 {
		t.Errorf("%d widgets, want 1", n)
	}
}

// Emitted code for a built-in type reads through client-go's typed client.
func TestTypedClient(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	tracker := clienttesting.NewObjectTracker(scheme, serializer.NewCodecFactory(scheme).UniversalDecoder())
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "p"}, Spec: corev1.PodSpec{NodeName: "n1"}}
	if err := tracker.Add(pod); err != nil {
		t.Fatal(err)
	}
	calls := &clienttesting.Fake{}
	calls.AddReactor("*", "*", clienttesting.ObjectReaction(tracker))
	calls.AddWatchReactor("*", func(action clienttesting.Action) (bool, watch.Interface, error) {
		w, err := tracker.Watch(action.GetResource(), action.GetNamespace())
		return true, w, err
	})
	client := &typedfake.FakeCoreV1{Fake: calls}
	informers := builtin.NewInformers(builtin.InformerSources{Pods: builtin.NewPodSource(client.Pods(""))})
	pods := informers.Pods().Lister()
	start(t, informers.Run, informers.WaitForSync)
	if n := count(pods.ByNode("n1")); n != 1 {
		t.Errorf("%d pods on n1, want 1", n)
	}
}

// Emitted code for the caches of client-go and controller-runtime finds what the native code finds.
func TestOtherCaches(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "p"}, Spec: corev1.PodSpec{NodeName: "n1"}}
	lister, err := builtin.NewPodCacheLister(builtin.NewPodCacheIndexer(pod))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(lister.ByNode("n1")); n != 1 {
		t.Errorf("%d pods on n1 in client-go's cache, want 1", n)
	}
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	client := builtin.WithPodIndexes(fake.NewClientBuilder().WithScheme(scheme).WithObjects(pod)).Build()
	pods, err := builtin.NewPodReader(client).ByNode(t.Context(), "n1")
	if err != nil {
		t.Fatal(err)
	}
	if len(pods) != 1 {
		t.Errorf("%d pods on n1 in controller-runtime's cache, want 1", len(pods))
	}
}
