// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// testIndexers runs test with client-go's Indexer and with ours.
func testIndexers(t *testing.T, test func(t *testing.T, x cache.Indexer)) {
	indexers := func() cache.Indexers { return cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc} }
	t.Run("client-go", func(t *testing.T) {
		test(t, cache.NewIndexer(cache.DeletionHandlingMetaNamespaceKeyFunc, indexers()))
	})
	t.Run("ours", func(t *testing.T) {
		test(t, clientgo.NewIndexer(store.ForObjects[*corev1.Pod](), indexers()))
	})
}

func want[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func noError(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func sorted(keys []string) []string {
	slices.Sort(keys)
	return keys
}

func namesOf(objs []any) []string {
	names := []string{}
	for _, obj := range objs {
		names = append(names, obj.(*corev1.Pod).Name)
	}
	return sorted(names)
}

// podIn returns a Pod with labels as index values.
func podIn(namespace, name string, labels ...string) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: map[string]string{}}}
	for _, label := range labels {
		pod.Labels[label] = ""
	}
	return pod
}

func byLabel(obj any) ([]string, error) {
	pod, ok := obj.(*corev1.Pod)
	if !ok {
		return nil, errors.New("not a pod")
	}
	values := []string{}
	for label := range pod.Labels {
		values = append(values, label)
	}
	return values, nil
}

func TestIndexerIndexes(t *testing.T) {
	testIndexers(t, func(t *testing.T, x cache.Indexer) {
		noError(t, x.Add(podIn("n", "a", "x", "y")), x.Add(podIn("n", "b", "y")))
		noError(t, x.AddIndexers(cache.Indexers{"label": byLabel}))
		noError(t, x.Add(podIn("m", "c", "y", "z")), x.Add(podIn("m", "d")))
		if x.AddIndexers(cache.Indexers{"new": byLabel, "label": byLabel}) == nil {
			t.Error("an index was replaced")
		}
		if _, added := x.GetIndexers()["new"]; added || len(x.GetIndexers()) != 2 {
			t.Errorf("indexers: %v", x.GetIndexers())
		}

		found, err := x.ByIndex("label", "y")
		noError(t, err)
		want(t, "ByIndex", namesOf(found), []string{"a", "b", "c"})
		found, err = x.Index("label", podIn("other", "other", "x", "z", "y"))
		noError(t, err)
		want(t, "Index", namesOf(found), []string{"a", "b", "c"})
		found, err = x.Index("label", podIn("other", "other"))
		noError(t, err)
		want(t, "Index without values", namesOf(found), []string{})
		found, err = x.Index(cache.NamespaceIndex, &metav1.ObjectMeta{Namespace: "m"})
		noError(t, err)
		want(t, "Index of another type", namesOf(found), []string{"c", "d"})
		keys, err := x.IndexKeys("label", "z")
		noError(t, err)
		want(t, "IndexKeys", keys, []string{"m/c"})
		want(t, "values", sorted(x.ListIndexFuncValues("label")), []string{"x", "y", "z"})

		noError(t, x.Update(podIn("n", "a", "z")), x.Delete(podIn("m", "c")))
		want(t, "values after writes", sorted(x.ListIndexFuncValues("label")), []string{"y", "z"})

		_, byIndex := x.ByIndex("none", "")
		_, index := x.Index("none", podIn("n", "a"))
		_, indexKeys := x.IndexKeys("none", "")
		_, wrong := x.Index("label", &metav1.ObjectMeta{})
		for _, err := range []error{byIndex, index, indexKeys, wrong} {
			if err == nil {
				t.Error("there was no error")
			}
		}
		want(t, "values of no index", x.ListIndexFuncValues("none"), nil)
	})
}

func TestIndexerObjects(t *testing.T) {
	testIndexers(t, func(t *testing.T, x cache.Indexer) {
		node := podIn("", "cluster-scoped")
		noError(t, x.Add(podIn("n", "a")), x.Add(node), x.Replace([]any{podIn("n", "b"), node}, "7"))
		want(t, "keys", sorted(x.ListKeys()), []string{"cluster-scoped", "n/b"})
		want(t, "version", []string{x.LastStoreSyncResourceVersion()}, []string{"7"})
		x.Bookmark("8")
		want(t, "version after a bookmark", []string{x.LastStoreSyncResourceVersion()}, []string{"8"})
		for key, exists := range map[string]bool{
			"n/b": true, "cluster-scoped": true, "n/a": false, "/cluster-scoped": false, "n/b/c": false, "": false,
		} {
			_, byKey, err := x.GetByKey(key)
			noError(t, err)
			_, explicit, err := x.Get(cache.ExplicitKey(key))
			noError(t, err)
			if byKey != exists || explicit != exists {
				t.Errorf("key %q exists: %v, %v", key, byKey, explicit)
			}
		}
		got, exists, err := x.Get(podIn("", "cluster-scoped"))
		if got != any(node) || !exists || err != nil {
			t.Errorf("Get: %v, %v, %v", got, exists, err)
		}
		noError(t, x.Delete(cache.DeletedFinalStateUnknown{Key: "n/b"}), x.Delete(podIn("n", "none")), x.Resync())
		want(t, "objects after Delete", namesOf(x.List()), []string{"cluster-scoped"})

		_, _, get := x.Get("text")
		for _, err := range []error{x.Add("text"), x.Update("text"), x.Delete("text"), x.Replace([]any{"text"}, ""), get} {
			if !errors.As(err, &cache.KeyError{}) {
				t.Errorf("an object without metadata: %v", err)
			}
		}
	})
}

func TestTypedIndexerRefusesOthers(t *testing.T) {
	x := clientgo.NewIndexer(store.ForObjects[*corev1.Pod](), nil)
	for _, err := range []error{x.Add(&corev1.Node{}), x.Replace([]any{podIn("n", "a"), &corev1.Node{}}, "1")} {
		if err == nil || !strings.Contains(err.Error(), "a *v1.Node is not stored with objects of type *v1.Pod") {
			t.Errorf("got %v", err)
		}
	}
	want(t, "keys", x.ListKeys(), nil)
}

// TestIndexFunctionFails: client-go would panic.
func TestIndexFunctionFails(t *testing.T) {
	var reported error
	s := store.ForObjects[*corev1.Pod](store.WithErrorHandler(func(err error) { reported = err }))
	cause := errors.New("no index values today")
	x := clientgo.NewIndexer(s, cache.Indexers{"bad": func(any) ([]string, error) { return nil, cause }})
	noError(t, x.Add(podIn("n", "a")))
	if !errors.Is(reported, cause) {
		t.Errorf("reported: %v", reported)
	}
	want(t, "keys", x.ListKeys(), []string{"n/a"})
}

// TestByIndexAllocates only the slice that it returns.
func TestByIndexAllocates(t *testing.T) {
	testIndexers(t, func(t *testing.T, x cache.Indexer) {
		noError(t, x.AddIndexers(cache.Indexers{"label": byLabel}), x.Add(podIn("n", "a", "x")), x.Add(podIn("n", "b", "x")))
		if n := testing.AllocsPerRun(100, func() { _, _ = x.ByIndex("label", "x") }); n > 1 {
			t.Errorf("%v allocations", n)
		}
	})
}
