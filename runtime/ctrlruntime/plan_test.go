// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"fmt"
	"maps"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/internal/layer"
)

// plannedOf returns the informers for obj that controller-runtime's cache makes, by configured namespace.
func plannedOf(t *testing.T, opts cache.Options, obj client.Object) map[string]*plannedInformer {
	t.Helper()
	m := meta.NewDefaultRESTMapper(nil)
	m.Add(corev1.SchemeGroupVersion.WithKind("Pod"), meta.RESTScopeNamespace)
	m.Add(corev1.SchemeGroupVersion.WithKind("Node"), meta.RESTScopeRoot)
	m.Add(appsv1.SchemeGroupVersion.WithKind("Deployment"), meta.RESTScopeNamespace)
	opts.Mapper, opts.Scheme = m, clientgoscheme.Scheme
	p, err := newPlan(opts)
	if err != nil {
		t.Fatal(err)
	}
	c := &managedCache{Settings: layer.Settings{Options: opts}, plan: p}
	key, err := c.KeyOf(obj)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*plannedInformer{}
	namespaces, _, err := c.configuredNamespaces(key.Kind)
	if err != nil {
		t.Fatal(err)
	}
	for namespace := range namespaces {
		if all[namespace], err = p.informerIn(namespace, obj); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// The requests of a ListerWatcher show what it reads, in each form of the objects and with each option of the cache.
// hack/test-floors.sh -unsent runs this with each release of controller-runtime.
func TestScopeOf(t *testing.T) {
	labeled := labels.SelectorFromSet(labels.Set{"app": "a"})
	running := fields.OneTermEqualSelector("status.phase", "Running")
	no := false
	pods, nodes := corev1.SchemeGroupVersion.WithResource("pods"), corev1.SchemeGroupVersion.WithResource("nodes")
	all := layer.Scope{Resource: pods, Bookmarks: true}
	for name, test := range map[string]struct {
		obj  client.Object
		opts cache.Options
		want map[string]layer.Scope
	}{
		"a namespaced type":     {obj: &corev1.Pod{}, want: map[string]layer.Scope{"": all}},
		"a cluster-scoped type": {obj: &corev1.Node{}, want: map[string]layer.Scope{"": {Resource: nodes, Bookmarks: true}}},
		"a type of a group": {
			obj:  &appsv1.Deployment{},
			want: map[string]layer.Scope{"": {Resource: appsv1.SchemeGroupVersion.WithResource("deployments"), Bookmarks: true}},
		},
		"without bookmarks": {
			&corev1.Pod{}, cache.Options{DefaultEnableWatchBookmarks: &no}, map[string]layer.Scope{"": {Resource: pods}},
		},
		"selectors of all types": {
			&corev1.Pod{}, cache.Options{DefaultLabelSelector: labeled, DefaultFieldSelector: running},
			map[string]layer.Scope{"": {Resource: pods, Labels: "app=a", Fields: "status.phase=Running", Bookmarks: true}},
		},
		"selectors of a type": {
			&corev1.Pod{},
			cache.Options{ByObject: map[client.Object]cache.ByObject{
				&corev1.Pod{}: {Label: labeled, Field: running, EnableWatchBookmarks: &no},
			}},
			map[string]layer.Scope{"": {Resource: pods, Labels: "app=a", Fields: "status.phase=Running"}},
		},
		"namespaces": {
			&corev1.Pod{},
			cache.Options{DefaultNamespaces: map[string]cache.Config{"a": {LabelSelector: labeled}, "b": {}}},
			map[string]layer.Scope{
				"a": {Resource: pods, Namespace: "a", Labels: "app=a", Bookmarks: true},
				"b": {Resource: pods, Namespace: "b", Bookmarks: true},
			},
		},
		"a cluster-scoped type and namespaces": {
			&corev1.Node{}, cache.Options{DefaultNamespaces: map[string]cache.Config{"a": {}, "b": {}}},
			map[string]layer.Scope{"": {Resource: nodes, Bookmarks: true}},
		},
		"the other namespaces": {
			&corev1.Pod{},
			cache.Options{DefaultNamespaces: map[string]cache.Config{"a": {}, cache.AllNamespaces: {}}},
			map[string]layer.Scope{
				"":  {Resource: pods, Fields: "metadata.namespace!=a", Bookmarks: true},
				"a": {Resource: pods, Namespace: "a", Bookmarks: true},
			},
		},
		"a namespace by its name": {
			&corev1.Pod{},
			cache.Options{DefaultFieldSelector: fields.OneTermEqualSelector("metadata.namespace", "a")},
			map[string]layer.Scope{"": {Resource: pods, Namespace: "a", Fields: "metadata.namespace=a", Bookmarks: true}},
		},
	} {
		kind, err := apiutil.GVKForObject(test.obj, clientgoscheme.Scheme)
		if err != nil {
			t.Fatal(err)
		}
		for form, obj := range formsOf(test.obj, kind) {
			opts := test.opts
			if len(opts.ByObject) > 0 { // of the type in this form
				opts.ByObject = map[client.Object]cache.ByObject{obj: opts.ByObject[first(opts.ByObject)]}
			}
			got := map[string]layer.Scope{}
			for namespace, planned := range plannedOf(t, opts, obj) {
				got[namespace] = planned.scope
			}
			if !maps.Equal(got, test.want) {
				t.Errorf("%s, %s: the informers read\n%s\nwant\n%s", name, form, fmt.Sprint(got), fmt.Sprint(test.want))
			}
		}
	}
}

// controller-runtime says the transform and the period of each namespace to its informer.
func TestPlannedTransformsAndPeriods(t *testing.T) {
	transformed := ""
	transform := func(by string) toolscache.TransformFunc {
		return func(obj any) (any, error) { transformed = by; return obj, nil }
	}
	opts := cache.Options{
		DefaultTransform: transform("default"),
		DefaultNamespaces: map[string]cache.Config{
			"a": {}, "b": {Transform: transform("b"), SyncPeriod: new(time.Minute)},
		},
	}
	for form, obj := range formsOf(&corev1.Pod{}, corev1.SchemeGroupVersion.WithKind("Pod")) {
		planned := plannedOf(t, opts, obj)
		for namespace, want := range map[string]string{"a": "default", "b": "b"} {
			if _, err := planned[namespace].transform(obj); err != nil || transformed != want {
				t.Errorf("%s in %s: the transform is that of %s, %v", form, namespace, transformed, err)
			}
		}
		// controller-runtime changes a period by up to a tenth.
		if a, b := planned["a"].resync, planned["b"].resync; a < 9*time.Hour || b < 54*time.Second || b > 66*time.Second {
			t.Errorf("%s: the periods are %v and %v", form, a, b)
		}
	}
}

func formsOf(obj client.Object, kind schema.GroupVersionKind) map[string]client.Object {
	u, m := &unstructured.Unstructured{}, &metav1.PartialObjectMetadata{}
	u.SetGroupVersionKind(kind)
	m.SetGroupVersionKind(kind)
	return map[string]client.Object{"structured": obj, "unstructured": u, "metadata": m}
}

func first(of map[client.Object]cache.ByObject) client.Object {
	for obj := range of {
		return obj
	}
	return nil
}

// If a ListerWatcher sends no request with the context that it gets, its scope is unknown. That is an error, and never a
// read of another scope.
func TestScopeOfListerWatcherThatSendsNothing(t *testing.T) {
	silent := &toolscache.ListWatch{
		ListFunc:  func(metav1.ListOptions) (runtime.Object, error) { return &corev1.PodList{}, nil },
		WatchFunc: func(metav1.ListOptions) (watch.Interface, error) { return watch.NewEmptyWatch(), nil },
	}
	if s, err := scopeOf(silent); err == nil {
		t.Errorf("read %+v, want an error", s)
	}
}
