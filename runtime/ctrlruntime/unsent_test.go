// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"fmt"
	"net/http"
	"slices"
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

// scopesOf returns what the informers for obj read that controller-runtime's cache makes.
func scopesOf(t *testing.T, opts cache.Options, obj client.Object) (all []layer.Scope) {
	t.Helper()
	m := meta.NewDefaultRESTMapper(nil)
	m.Add(corev1.SchemeGroupVersion.WithKind("Pod"), meta.RESTScopeNamespace)
	m.Add(corev1.SchemeGroupVersion.WithKind("Node"), meta.RESTScopeRoot)
	m.Add(appsv1.SchemeGroupVersion.WithKind("Deployment"), meta.RESTScopeNamespace)
	opts.Mapper, opts.HTTPClient = m, &http.Client{Transport: unsent{}}
	opts.NewInformer = func(
		lw toolscache.ListerWatcher, example runtime.Object, _ time.Duration, indexers toolscache.Indexers,
	) toolscache.SharedIndexInformer {
		s, err := scopeOf(lw)
		if err != nil {
			t.Error(err)
		}
		all = append(all, s)
		return toolscache.NewSharedIndexInformer(lw, example, 0, indexers)
	}
	c, err := cache.New(unsentConfig(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.GetInformer(t.Context(), obj, cache.BlockUntilSynced(false)); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(all, func(a, b layer.Scope) int {
		return slices.Compare([]string{a.Namespace, a.Fields}, []string{b.Namespace, b.Fields})
	})
	return all
}

// The requests of a ListerWatcher tell what it reads, in each form of the objects and with each option of the cache.
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
		want []layer.Scope
	}{
		"a namespaced type":     {obj: &corev1.Pod{}, want: []layer.Scope{all}},
		"a cluster-scoped type": {obj: &corev1.Node{}, want: []layer.Scope{{Resource: nodes, Bookmarks: true}}},
		"a type of a group": {
			obj:  &appsv1.Deployment{},
			want: []layer.Scope{{Resource: appsv1.SchemeGroupVersion.WithResource("deployments"), Bookmarks: true}},
		},
		"without bookmarks": {
			&corev1.Pod{}, cache.Options{DefaultEnableWatchBookmarks: &no}, []layer.Scope{{Resource: pods}},
		},
		"selectors of all types": {
			&corev1.Pod{}, cache.Options{DefaultLabelSelector: labeled, DefaultFieldSelector: running},
			[]layer.Scope{{Resource: pods, Labels: "app=a", Fields: "status.phase=Running", Bookmarks: true}},
		},
		"selectors of a type": {
			&corev1.Pod{},
			cache.Options{ByObject: map[client.Object]cache.ByObject{
				&corev1.Pod{}: {Label: labeled, Field: running, EnableWatchBookmarks: &no},
			}},
			[]layer.Scope{{Resource: pods, Labels: "app=a", Fields: "status.phase=Running"}},
		},
		"namespaces": {
			&corev1.Pod{},
			cache.Options{DefaultNamespaces: map[string]cache.Config{"a": {LabelSelector: labeled}, "b": {}}},
			[]layer.Scope{
				{Resource: pods, Namespace: "a", Labels: "app=a", Bookmarks: true},
				{Resource: pods, Namespace: "b", Bookmarks: true},
			},
		},
		"a cluster-scoped type and namespaces": {
			&corev1.Node{}, cache.Options{DefaultNamespaces: map[string]cache.Config{"a": {}, "b": {}}},
			[]layer.Scope{{Resource: nodes, Bookmarks: true}},
		},
		"the other namespaces": {
			&corev1.Pod{},
			cache.Options{DefaultNamespaces: map[string]cache.Config{"a": {}, cache.AllNamespaces: {}}},
			[]layer.Scope{
				{Resource: pods, Fields: "metadata.namespace!=a", Bookmarks: true},
				{Resource: pods, Namespace: "a", Bookmarks: true},
			},
		},
		"a namespace by its name": {
			&corev1.Pod{},
			cache.Options{DefaultFieldSelector: fields.OneTermEqualSelector("metadata.namespace", "a")},
			[]layer.Scope{{Resource: pods, Namespace: "a", Fields: "metadata.namespace=a", Bookmarks: true}},
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
			if got := scopesOf(t, opts, obj); !slices.Equal(got, test.want) {
				t.Errorf("%s, %s: the informers read\n%s\nwant\n%s", name, form, fmt.Sprint(got), fmt.Sprint(test.want))
			}
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

// A ListerWatcher that sends no request with the context that it gets tells nothing. That is an error of the informer,
// which says what to do, and never a read of another scope.
func TestScopeOfListerWatcherThatSendsNothing(t *testing.T) {
	silent := &toolscache.ListWatch{
		ListFunc:  func(metav1.ListOptions) (runtime.Object, error) { return &corev1.PodList{}, nil },
		WatchFunc: func(metav1.ListOptions) (watch.Interface, error) { return watch.NewEmptyWatch(), nil },
	}
	if s, err := scopeOf(silent); err == nil {
		t.Errorf("read %+v, want an error", s)
	}
}
