// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime_test

import (
	"context"
	"errors"
	"maps"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/ctrlread"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/readthrough"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

// holding returns NewCache with Pods and Nodes held as far as they are read.
func holding(keep ...readthrough.Field) cache.NewCacheFunc {
	return ctrlruntime.NewCacheWith(
		ctrlread.HoldRead(&corev1.Pod{}, keep...), ctrlread.HoldRead(&corev1.Node{}, keep...))
}

// started is start, and waits until the cache has started.
func started(
	t *testing.T, create cache.NewCacheFunc, s *apiServer, opts cache.Options, prepare func(cache.Cache),
) cache.Cache {
	c := start(t, create, s, opts, prepare)
	c.WaitForCacheSync(testContext(t))
	return c
}

// lists returns the paths of lists, which are reads of objects: metadata is streamed.
func (s *apiServer) lists() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(s.requests), func(line string) bool { return strings.HasPrefix(line, "watch ") })
}

// await waits until the cache has the metadata of a version.
func await(t *testing.T, c cache.Cache, key client.ObjectKey, reached func(metav1.Object, error) bool) {
	t.Helper()
	for t.Context().Err() == nil {
		m := forms["metadata"].object("Pod")
		if reached(m, c.Get(t.Context(), key, m)) {
			return
		}
	}
}

// Get returns what a cache of whole objects returns, in every form, with one watch and one request for each
// version that is read.
func TestHoldReadGet(t *testing.T) {
	s := newAPIServer(t)
	fillServer(s)
	ctx := testContext(t)
	whole := started(t, ctrlruntime.NewCache, s, cache.Options{}, nil)
	want := map[string]client.Object{}
	key := client.ObjectKey{Namespace: "a", Name: "1"}
	for _, form := range []string{"structured", "unstructured"} {
		for kind, key := range map[string]client.ObjectKey{"Pod": key, "Node": {Namespace: "ignored", Name: "1"}} {
			want[form+kind] = forms[form].object(kind)
			if err := whole.Get(ctx, key, want[form+kind]); err != nil {
				t.Fatal(err)
			}
		}
	}
	s.mu.Lock()
	s.requests = nil
	s.mu.Unlock()
	c := started(t, holding(), s, cache.Options{}, nil)
	for range 3 {
		for _, form := range []string{"structured", "unstructured"} {
			for kind, key := range map[string]client.ObjectKey{"Pod": key, "Node": {Namespace: "ignored", Name: "1"}} {
				got := forms[form].object(kind)
				if err := c.Get(ctx, key, got); err != nil || !reflect.DeepEqual(got, want[form+kind]) {
					t.Errorf("%s %s: %v\n%+v\n%+v", form, kind, err, got, want[form+kind])
				}
				got.SetLabels(nil) // of a copy
			}
		}
	}
	lists := s.lists()
	slices.Sort(lists)
	if !slices.Equal(lists, []string{
		"/api/v1/namespaces/a/pods", "/api/v1/namespaces/a/pods", "/api/v1/nodes", "/api/v1/nodes",
	}) {
		t.Errorf("lists: %v", lists)
	}
	if w := s.watches(); !maps.Equal(w, map[string]int{"/api/v1/pods": 1, "/api/v1/nodes": 1}) {
		t.Errorf("watches: %v", w)
	}

	s.pods.Set(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "1"}, Spec: corev1.PodSpec{NodeName: "new"}})
	version := s.pods.ResourceVersion()
	await(t, c, key, func(m metav1.Object, err error) bool { return err == nil && m.GetResourceVersion() == version })
	var pod corev1.Pod
	if err := c.Get(ctx, key, &pod); err != nil || pod.Spec.NodeName != "new" || len(s.lists()) != 5 {
		t.Errorf("after an update: %v, %v, after %d lists", pod.Spec, err, len(s.lists()))
	}
	s.pods.Delete("a", "1")
	await(t, c, key, func(_ metav1.Object, err error) bool { return apierrors.IsNotFound(err) })
	gone := whole.Get(ctx, client.ObjectKey{Namespace: "a", Name: "x"}, &pod)
	if err := c.Get(ctx, client.ObjectKey{Namespace: "a", Name: "x"}, &pod); !reflect.DeepEqual(err, gone) {
		t.Errorf("got %v; want %v", err, gone)
	}
	if err := c.Get(ctx, key, &pod); !apierrors.IsNotFound(err) || len(s.lists()) != 5 {
		t.Errorf("after the deletion: %v, after %d lists", err, len(s.lists()))
	}
	s.mu.Lock()
	s.fails = apierrors.NewForbidden(corev1.Resource("pods"), "", errors.New("no"))
	s.mu.Unlock()
	if err := c.Get(ctx, client.ObjectKey{Namespace: "a", Name: "2"}, &pod); !apierrors.IsForbidden(err) ||
		!strings.Contains(err.Error(), "reading Pod a/2: ") || !strings.Contains(err.Error(), "grant the verb list") {
		t.Errorf("forbidden: %v", err)
	}
}

// A Get whose metadata have not synced says which object, why, and which rights are missing.
func TestHoldReadWithoutPermission(t *testing.T) {
	s := newAPIServer(t)
	s.fails = runtimetest.Forbidden("list", corev1.Resource("pods"))
	ctx := testContext(t)
	c := start(t, holding(), s, cache.Options{}, func(c cache.Cache) {
		if _, err := c.GetInformer(ctx, forms["metadata"].object("Pod"), cache.BlockUntilSynced(false)); err != nil {
			t.Fatal(err)
		}
	})
	const unsynced = "informer of pods/v1 has not synced"
	ready := errors.New(unsynced)
	for !apierrors.IsForbidden(ready) && ctx.Err() == nil {
		ready = ctrlruntime.CacheReady(c)(httptest.NewRequest("", "/", nil))
	}
	if ready == nil || !strings.HasPrefix(ready.Error(), unsynced+": ") {
		t.Errorf("the readiness check says %v", ready)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	err := c.Get(ended, client.ObjectKey{Namespace: "a", Name: "1"}, &corev1.Pod{})
	for _, part := range []string{unsynced, "forbidden", "grant the verbs list and watch"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the error %v does not have %q", err, part)
		}
	}
}

// What needs all objects is refused when it is registered.
func TestHoldReadRefuses(t *testing.T) {
	s := newAPIServer(t)
	fillServer(s)
	ctx := testContext(t)
	c := started(t, holding(), s, cache.Options{}, nil)
	refused := func(call, instead string, err error) {
		t.Helper()
		if err == nil || !strings.HasPrefix(err.Error(), call+" of Pod needs all objects, and HoldRead ") ||
			!strings.Contains(err.Error(), instead) {
			t.Errorf("%s: %v", call, err)
		}
	}
	const handlers, onlyMetadata = "a handler (For, Owns, Watches)", "builder.OnlyMetadata"
	for _, form := range []string{"structured", "unstructured"} {
		obj := forms[form].object("Pod")
		refused("List", "mgr.GetAPIReader()", c.List(ctx, forms[form].list("Pod")))
		refused("IndexField", "index metadata", c.IndexField(ctx, obj, "f", nil))
		i, err := c.GetInformer(ctx, obj)
		if err != nil {
			t.Fatal(err)
		}
		refused("AddIndexers", "index metadata", i.AddIndexers(nil))
		ignored := toolscache.ResourceEventHandlerFuncs{}
		_, err = i.AddEventHandler(ignored)
		refused(handlers, onlyMetadata, err)
		_, err = i.AddEventHandlerWithResyncPeriod(ignored, 0)
		refused(handlers, onlyMetadata, err)
		queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request]())
		defer queue.ShutDown()
		watches := source.Kind(c, obj, handler.TypedEventHandler[client.Object, reconcile.Request](&handler.EnqueueRequestForObject{}))
		if err := watches.Start(ctx, queue); err != nil {
			t.Fatal(err)
		}
		if err := watches.WaitForSync(ctx); err == nil || !strings.Contains(err.Error(), handlers) {
			t.Errorf("Watches: %v", err)
		}
		if _, err := i.AddEventHandler(&consistency{}); err != nil {
			t.Errorf("the handler of a client that reads its own writes: %v", err)
		}
	}
	i, err := c.GetInformerForKind(ctx, corev1.SchemeGroupVersion.WithKind("Pod"))
	if err != nil {
		t.Fatal(err)
	}
	refused("AddIndexers", "index metadata", i.AddIndexers(nil))
	_, err = ctrlruntime.StoreOf[*corev1.Pod](ctx, c)
	refused("InformerOf or StoreOf", "in place of a trigger", err)
	if w := s.watches(); !maps.Equal(w, map[string]int{"/api/v1/pods": 1}) {
		t.Errorf("watches: %v", w)
	}
}

// Options that contradict each other, or a type that the scheme does not have, are errors of the cache.
func TestHoldReadOptionErrors(t *testing.T) {
	transform := func(obj any) (any, error) { return obj, nil }
	inNamespace := map[string]cache.Config{"a": {Transform: transform}}
	pods := ctrlread.HoldRead(&corev1.Pod{})
	for want, test := range map[string]struct {
		opts    cache.Options
		options []ctrlruntime.CacheOption
	}{
		"do not apply to informers of NewInformer": {cache.Options{NewInformer: clientgo.NewSharedIndexInformer}, nil},
		"HoldRead of *ctrlruntime_test.unregistered: no kind is registered": {
			options: []ctrlruntime.CacheOption{ctrlread.HoldRead(&unregistered{})},
		},
		"HoldRead of <nil>: ":            {options: []ctrlruntime.CacheOption{ctrlread.HoldRead(nil)}},
		"HoldRead of *v1.Pod: ":          {options: []ctrlruntime.CacheOption{ctrlread.HoldRead((*corev1.Pod)(nil))}},
		"MaxReadBytes(-1): ":             {options: []ctrlruntime.CacheOption{pods, ctrlread.MaxReadBytes(-1)}},
		"nothing without HoldRead":       {options: []ctrlruntime.CacheOption{ctrlread.MaxReadBytes(1)}},
		"HoldRead of Pod is given twice": {options: []ctrlruntime.CacheOption{pods, pods}},
		"remove its Transform": {
			cache.Options{ByObject: map[client.Object]cache.ByObject{&corev1.Pod{}: {Transform: transform}}},
			[]ctrlruntime.CacheOption{pods},
		},
		"remove its Transform in namespace a": {
			cache.Options{ByObject: map[client.Object]cache.ByObject{&corev1.Pod{}: {Namespaces: inNamespace}}},
			[]ctrlruntime.CacheOption{pods},
		},
	} {
		test.opts.Mapper = mapper()
		_, err := ctrlruntime.NewCacheWith(test.options...)((&apiServer{}).config(), test.opts)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v; want an error with %q", err, want)
		}
	}
}

type unregistered struct{ corev1.Pod }

// consistency has a method of the handler of controller-runtime's client that reads its own writes.
type consistency struct {
	toolscache.ResourceEventHandlerFuncs
}

func (*consistency) WaitForGet(context.Context, types.NamespacedName) error { return nil }

// Reads and handlers of metadata get PartialObjectMetadata with the fields that are kept.
func TestHoldReadMetadata(t *testing.T) {
	for name, keep := range map[string][]readthrough.Field{"nothing": nil, "labels": {readthrough.Labels}} {
		t.Run(name, func(t *testing.T) {
			s := newAPIServer(t)
			fillServer(s)
			ctx := testContext(t)
			events := make(chan any, 100)
			c := started(t, holding(keep...), s, cache.Options{}, func(c cache.Cache) {
				obj := forms["metadata"].object("Pod")
				name := func(obj client.Object) []string { return []string{obj.(*metav1.PartialObjectMetadata).Name} }
				if err := c.IndexField(ctx, obj, "name", name); err != nil {
					t.Fatal(err)
				}
				i, err := c.GetInformer(ctx, obj)
				if err != nil {
					t.Fatal(err)
				}
				_, err = i.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
					AddFunc:    func(obj any) { events <- obj },
					UpdateFunc: func(_, obj any) { events <- obj },
					DeleteFunc: func(obj any) { events <- obj },
				})
				if err != nil {
					t.Fatal(err)
				}
			})
			check := func(obj any) {
				t.Helper()
				m, ok := obj.(*metav1.PartialObjectMetadata)
				if !ok || m.Kind != "Pod" || m.APIVersion != "v1" || m.Namespace == "" || m.UID == "" ||
					m.ResourceVersion == "" || (len(m.Labels) > 0) != (keep != nil) || m.Annotations != nil {
					t.Errorf("got %+v", obj)
				}
			}
			for range 6 {
				check(<-events)
			}
			s.pods.Set(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{
				Namespace: "a", Name: "1", Labels: map[string]string{"app": "app-1"}, Finalizers: []string{"f"},
				OwnerReferences: []metav1.OwnerReference{{Name: "owner"}}}})
			updated := <-events
			check(updated)
			m := updated.(*metav1.PartialObjectMetadata)
			if !slices.Equal(m.Finalizers, []string{"f"}) || len(m.OwnerReferences) != 1 {
				t.Errorf("finalizers %v, owners %v", m.Finalizers, m.OwnerReferences)
			}
			s.pods.Delete("a", "1")
			check(<-events)

			got := forms["metadata"].object("Pod")
			if err := c.Get(ctx, client.ObjectKey{Namespace: "b", Name: "1"}, got); err != nil {
				t.Fatal(err)
			}
			check(got)
			var list metav1.PartialObjectMetadataList
			list.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PodList"))
			byName := client.MatchingFieldsSelector{Selector: fields.OneTermEqualSelector("name", "1")}
			if err := c.List(ctx, &list, byName); err != nil || len(list.Items) != 2 {
				t.Errorf("List by an index: %v, %v", list.Items, err)
			}
			err := c.List(ctx, &metav1.PartialObjectMetadataList{TypeMeta: list.TypeMeta}, client.MatchingFields{"f": "1"})
			if err == nil || !strings.Contains(err.Error(), "AddPodIndexes if that is emitted") {
				t.Errorf("List by another field: %v", err)
			}
			for i := range list.Items {
				check(&list.Items[i])
			}
			for _, m := range []metav1.Object{got, &list.Items[0], &list.Items[1]} { // copies
				for label := range m.GetLabels() {
					m.GetLabels()[label] = "mine"
				}
			}
			err = c.List(ctx, &list, client.MatchingLabelsSelector{Selector: labels.SelectorFromSet(labels.Set{"app": "app-1"})})
			if keep == nil && (err == nil || !strings.Contains(err.Error(), "add Labels of package runtime/ctrlruntime/readthrough")) {
				t.Errorf("labels are selected that are not kept: %v", err)
			}
			if keep != nil && (err != nil || len(list.Items) != 2) {
				t.Errorf("List by labels: %v, %v", list.Items, err)
			}
			if w := s.watches(); !maps.Equal(w, map[string]int{"/api/v1/pods": 1}) || len(s.lists()) > 0 {
				t.Errorf("watches: %v, lists: %v", w, s.lists())
			}
		})
	}
}

// The options of the cache apply, but for transforms.
func TestHoldReadOptions(t *testing.T) {
	s := newAPIServer(t)
	fillServer(s)
	ctx := testContext(t)
	yes := true
	c := started(t, holding(), s, cache.Options{
		DefaultNamespaces: map[string]cache.Config{
			"a": {LabelSelector: labels.SelectorFromSet(labels.Set{"app": "app-1"})}, "b": {},
		},
		DefaultUnsafeDisableDeepCopy: &yes,
		DefaultTransform: func(any) (any, error) {
			return nil, errors.New("called")
		},
	}, nil)
	for name, found := range map[string]bool{"a/1": true, "a/2": false, "b/1": true, "b/x": false} {
		namespace, name, _ := strings.Cut(name, "/")
		var pod, again corev1.Pod
		key := client.ObjectKey{Namespace: namespace, Name: name}
		if err := errors.Join(c.Get(ctx, key, &pod), c.Get(ctx, key, &again)); found != (err == nil) ||
			!found && !apierrors.IsNotFound(err) {
			t.Errorf("%v: %v", key, err)
		}
		if found && labelsOf(&pod) != labelsOf(&again) {
			t.Error("UnsafeDisableDeepCopy has no effect")
		}
	}
	err := c.Get(ctx, client.ObjectKey{Namespace: "c", Name: "1"}, &corev1.Pod{})
	if err == nil || !strings.Contains(err.Error(), "unknown namespace") {
		t.Errorf("another namespace: %v", err)
	}
	if w := s.watches(); w["/api/v1/namespaces/a/pods"] != 1 || w["/api/v1/namespaces/b/pods"] != 1 || w["/api/v1/pods"] > 0 {
		t.Errorf("watches: %v", w)
	}
	for _, r := range s.pods.Requests() {
		if r.Watch {
			continue
		}
		want := map[string]string{"a": "app=app-1", "b": ""}[r.Namespace]
		if r.Options.FieldSelector != "metadata.name=1" || r.Options.LabelSelector != want {
			t.Errorf("in namespace %s, the request is %+v", r.Namespace, r.Options)
		}
	}
	m := metav1.PartialObjectMetadataList{}
	m.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PodList"))
	if err := c.List(ctx, &m); err != nil || len(m.Items) != 4 {
		t.Errorf("metadata of both namespaces: %v, %v", m.Items, err)
	}
}

// Only that of metadata removes the informer, because handlers of metadata use it. It takes the bodies with it.
func TestHoldReadRemoveInformer(t *testing.T) {
	s := newAPIServer(t)
	fillServer(s)
	ctx := testContext(t)
	c := started(t, holding(), s, cache.Options{}, nil)
	key := client.ObjectKey{Namespace: "a", Name: "1"}
	for n := range 3 {
		for range 2 {
			if err := c.Get(ctx, key, &corev1.Pod{}); err != nil {
				t.Fatal(err)
			}
			if len(s.lists()) != n+1 || s.watches()["/api/v1/pods"] != n+1 {
				t.Errorf("%d lists, watches %v; want %d", len(s.lists()), s.watches(), n+1)
			}
			if err := c.RemoveInformer(ctx, &corev1.Pod{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.RemoveInformer(ctx, forms["metadata"].object("Pod")); err != nil {
			t.Fatal(err)
		}
	}
}

func TestHoldReadWithoutInformer(t *testing.T) {
	s := newAPIServer(t)
	fillServer(s)
	ctx := testContext(t)
	key := client.ObjectKey{Namespace: "a", Name: "1"}
	c, err := holding()(s.config(), cache.Options{Mapper: mapper()})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Get(ctx, key, &corev1.Pod{}); !errors.As(err, new(*cache.ErrCacheNotStarted)) {
		t.Errorf("before Start: %v", err)
	}
	c = started(t, holding(), s, cache.Options{ReaderFailOnMissingInformer: true}, nil)
	if err := c.Get(ctx, key, &corev1.Pod{}); !errors.As(err, new(*cache.ErrResourceNotCached)) {
		t.Errorf("without an informer: %v", err)
	}
	if _, err := c.GetInformer(ctx, forms["metadata"].object("Pod")); err != nil {
		t.Fatal(err)
	}
	if err := c.Get(ctx, key, &corev1.Pod{}); err != nil {
		t.Errorf("with an informer: %v", err)
	}
}
