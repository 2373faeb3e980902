// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrltrigger_test

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/ctrltrigger"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/trigger"
)

func newSecret(name string) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
}

// run runs an informer until the test ends.
func run(t *testing.T, i informer.Runner) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- i.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
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

// triggered has ConfigMaps that refer to a Secret of their namespace by an annotation.
func triggered(t *testing.T, secrets *runtimetest.Server[*corev1.Secret]) (
	*trigger.Trigger[*corev1.ConfigMap], *trigger.Edge[*corev1.Secret, *corev1.ConfigMap],
) {
	configMaps := runtimetest.NewServer[*corev1.ConfigMap]()
	for name, secret := range map[string]string{"one": "a", "two": "a", "three": "b"} {
		configMaps.Set(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
			Namespace: "ns", Name: name, Annotations: map[string]string{"secret": secret},
		}})
	}
	s := store.ForObjects[*corev1.ConfigMap]()
	refs := func(dst []trigger.Key, c *corev1.ConfigMap) []trigger.Key {
		return append(dst, trigger.Key{Namespace: c.Namespace, Name: c.Annotations["secret"]})
	}
	bySecret := store.AddIndex(s, "Secret", refs)
	users := informer.New(corev1.SchemeGroupVersion.WithResource("configmaps"), configMaps.Source(), s)
	run(t, users)
	keys := trigger.For(users)
	used := informer.New(corev1.SchemeGroupVersion.WithResource("secrets"), secrets.Source(), store.ForObjects[*corev1.Secret]())
	run(t, used)
	edge := trigger.On(keys, used, refs, func(secret trigger.Key) iter.Seq[*corev1.ConfigMap] {
		return bySecret.Get(s.Reader(), secret)
	})
	return keys, edge
}

func TestRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		queue := priorityqueue.New[reconcile.Request]("test")
		defer queue.ShutDown()
		secrets := runtimetest.NewServer[*corev1.Secret]()
		keys, _ := triggered(t, secrets)
		src := ctrltrigger.Requests(keys)
		var logged strings.Builder
		logger := funcr.New(func(_, args string) { logged.WriteString(args) }, funcr.Options{Verbosity: 1})
		ctx, cancel := context.WithCancel(log.IntoContext(t.Context(), logger))
		defer cancel()
		if err := errors.Join(src.Start(ctx, queue), src.WaitForSync(ctx)); err != nil {
			t.Fatal(err)
		}
		if err := src.Start(ctx, queue); err == nil {
			t.Error("the source was started twice")
		}
		expect := func(when string, want map[string]int) {
			t.Helper()
			synctest.Wait()
			if got := drain(queue); !maps.Equal(got, want) {
				t.Errorf("%s, the queue has %v, want %v", when, got, want)
			}
		}
		low := handler.LowPriority
		expect("once it has synced", map[string]int{"one": low, "two": low, "three": low})
		secrets.Set(newSecret("a"))
		expect("after a change of a Secret", map[string]int{"one": 0, "two": 0})
		if cause := "secrets → configmaps: ns/a"; !strings.Contains(logged.String(), cause) {
			t.Errorf("the log lacks %q: %s", cause, logged.String())
		}
		cancel()
		synctest.Wait()
		secrets.Set(newSecret("b"))
		expect("after the end", map[string]int{})
	})
}

func TestRequestsOfAnInformerThatDoesNotSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		queue := priorityqueue.New[reconcile.Request]("test")
		defer queue.ShutDown()
		secrets := runtimetest.NewServer[*corev1.Secret]()
		secrets.Fail(slices.Repeat([]error{runtimetest.Forbidden("list", corev1.Resource("secrets"))}, 100)...)
		keys, _ := triggered(t, secrets)
		src := ctrltrigger.Requests(keys)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := src.Start(ctx, queue); err != nil {
			t.Fatal(err)
		}
		if err := src.WaitForSync(ctx); err == nil || !strings.Contains(err.Error(), "forbidden") {
			t.Errorf("%v does not say why", err)
		}
	})
}

func TestMapFunc(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, edge := triggered(t, runtimetest.NewServer[*corev1.Secret]())
		mapping := ctrltrigger.MapFunc(edge)
		synctest.Wait()
		var names []string
		for _, request := range mapping(t.Context(), newSecret("a")) {
			names = append(names, request.Name)
		}
		slices.Sort(names)
		if want := []string{"one", "two"}; !slices.Equal(names, want) {
			t.Errorf("%v, want %v", names, want)
		}
		var logged strings.Builder
		logger := funcr.New(func(_, args string) { logged.WriteString(args) }, funcr.Options{})
		got := mapping(log.IntoContext(t.Context(), logger), &corev1.ConfigMap{})
		if len(got) > 0 || !strings.Contains(logged.String(), "*v1.Secret") ||
			!strings.Contains(logged.String(), "*v1.ConfigMap") {
			t.Errorf("an object of another type gives %v, and the log %s", got, logged.String())
		}
	})
}

func TestMapFuncRequestsAKeyOnce(t *testing.T) {
	words := func(dst []string, obj metav1.Object) []string {
		return append(dst, strings.Fields(obj.GetAnnotations()["words"])...)
	}
	wordsOfSecret := func(dst []string, s *corev1.Secret) []string { return words(dst, s) }
	wordsOfConfigMap := func(dst []string, c *corev1.ConfigMap) []string { return words(dst, c) }
	s := store.ForObjects[*corev1.ConfigMap]()
	byWord := store.AddIndex(s, "word", wordsOfConfigMap)
	both := metav1.ObjectMeta{Namespace: "ns", Name: "one", Annotations: map[string]string{"words": "a b"}}
	if err := s.Set(&corev1.ConfigMap{ObjectMeta: both}); err != nil {
		t.Fatal(err)
	}
	configMaps := informer.New(corev1.SchemeGroupVersion.WithResource("configmaps"), source.Source[*corev1.ConfigMap]{}, s)
	secrets := informer.New(corev1.SchemeGroupVersion.WithResource("secrets"), source.Source[*corev1.Secret]{}, store.ForObjects[*corev1.Secret]())
	edge := trigger.OnShared(trigger.For(configMaps), secrets, wordsOfSecret, wordsOfConfigMap,
		func(word string) iter.Seq[*corev1.ConfigMap] { return byWord.Get(s.Reader(), word) })
	if n := len(slices.Collect(edge.Concerned(&corev1.Secret{ObjectMeta: both}))); n != 2 {
		t.Fatalf("the edge leads to the ConfigMap in %d ways, want 2", n)
	}
	if requests := ctrltrigger.MapFunc(edge)(t.Context(), &corev1.Secret{ObjectMeta: both}); len(requests) != 1 {
		t.Errorf("requested %v, want the ConfigMap once", requests)
	}
}
