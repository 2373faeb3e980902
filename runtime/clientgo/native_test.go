// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	corelisters "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	fcache "k8s.io/client-go/tools/cache/testing"
	"k8s.io/klog/v2"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/lister"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// testOurs runs test with an informer of a registered type that is not running yet.
func testOurs(t *testing.T, test func(t *informerTest)) {
	synctest.Test(t, func(t *testing.T) {
		source := fcache.NewFakeControllerSource()
		defer source.Shutdown()
		it := &informerTest{T: t, source: source, pod: kinds["typed"].pod, stop: func() {}}
		it.SharedIndexInformer = clientgo.NewSharedIndexInformer(source, &podType{}, 0, cache.Indexers{})
		test(it)
		it.stop()
	})
}

func TestStoreOf(t *testing.T) {
	testOurs(t, func(t *informerTest) {
		if _, err := clientgo.StoreOf[*podType](cache.NewSharedInformer(t.source, &podType{}, 0)); err == nil {
			t.Error("an informer of another package has a typed store")
		}
		pods, err := clientgo.StoreOf[*podType](t.SharedIndexInformer)
		noError(t.T, err)
		byNode := store.AddIndex(pods, "Node", func(dst []string, p *podType) []string {
			return append(dst, p.Spec.NodeName)
		})
		noError(t.T, t.AddIndexers(cache.Indexers{"node": func(obj any) ([]string, error) {
			return []string{obj.(*podType).Spec.NodeName}, nil
		}}))
		t.source.Add(t.pod("a"))
		t.start()
		noError(t.T, pods.Reader().WaitFor(t.ctx, "1"))
		found, err := t.GetIndexer().ByIndex("node", "node-of-a")
		noError(t.T, err)
		typed := slices.Collect(byNode.Get(pods.Reader(), "node-of-a"))
		if len(found) != 1 || len(typed) != 1 || found[0] != any(typed[0]) {
			t.Errorf("by string index %v, by typed index %v", found, typed)
		}

		noError(t.T, t.AddIndexers(cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}))
		l := lister.New(pods, schema.GroupResource{Resource: "pods"})
		inNamespace, err := t.GetIndexer().ByIndex(cache.NamespaceIndex, typed[0].Namespace)
		noError(t.T, err)
		if len(inNamespace) != 1 || l.Namespace(typed[0].Namespace).Len() != 1 {
			t.Errorf("in the namespace: %v", inNamespace)
		}
		if names := pods.Indexes(); !slices.Equal(names, []string{"Node", "node", "Namespace"}) {
			t.Errorf("the store has the indexes %q", names)
		}

		other := clientgo.NewSharedIndexInformer(t.source, &corev1.Pod{}, 0, nil)
		_, err = clientgo.StoreOf[*corev1.Pod](other)
		if err == nil || !strings.Contains(err.Error(), `clientgo.Register[*v1.Pod]() before the informer is made`) {
			t.Errorf("the error of a type that is not registered: %v", err)
		}
	})
}

func TestHandlerOptions(t *testing.T) {
	testOurs(t, func(t *informerTest) {
		coalescing := &recorder{block: make(chan struct{})}
		_, err := clientgo.AddEventHandler(t.SharedIndexInformer, coalescing, informer.WithCoalescing())
		noError(t.T, err)
		t.source.Add(t.pod("first"))
		t.start()
		t.source.Add(t.pod("a"))
		for range 10 {
			t.source.Modify(t.pod("a"))
		}
		t.settle()
		close(coalescing.block)
		t.settle()
		t.want("calls", coalescing.take(), "[add a false add first true]")
		if _, err := clientgo.AddEventHandler(cache.NewSharedInformer(t.source, &corev1.Pod{}, 0), coalescing); err == nil {
			t.Error("a handler was added to an informer of client-go")
		}
	})
}

func TestHandlerFallsBehind(t *testing.T) {
	testOurs(t, func(t *informerTest) {
		var warnings []string
		logger := funcr.New(func(_, args string) { warnings = append(warnings, args) }, funcr.Options{})
		slow := &recorder{block: make(chan struct{})}
		_, err := t.AddEventHandlerWithOptions(slow, cache.HandlerOptions{Logger: &logger})
		noError(t.T, err)
		klog.SetLoggerWithOptions(logger, klog.ContextualLogger(true))
		_, err = clientgo.AddEventHandler(t.SharedIndexInformer, slow, informer.WithBuffer(3000))
		klog.ClearLogger()
		noError(t.T, err)
		t.start()
		for i := range 2000 {
			t.source.Add(t.pod(fmt.Sprint(i)))
			if i%50 == 0 {
				synctest.Wait()
			}
		}
		t.settle()
		if len(warnings) != 2 {
			t.Errorf("warnings: %q", warnings)
		}
		for _, w := range warnings { // also of the handler with a bound
			if !strings.Contains(w, `"pending"=2000`) || strings.Contains(w, "bounded") {
				t.Errorf("warning: %s", w)
			}
		}
		stats, _ := clientgo.Stats(t.SharedIndexInformer)
		if len(stats.Handlers) != 2 || stats.Handlers[0].Pending != 2000 {
			t.Errorf("statistics: %+v", stats.Handlers)
		}
		close(slow.block)
	})
}

// TestFromInformer reads a native informer through client-go's interfaces.
func TestFromInformer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := runtimetest.NewServer[*corev1.Pod]()
		native := informer.New(schema.GroupVersionResource{Version: "v1", Resource: "pods"}, server.Source(), store.ForObjects[*corev1.Pod]())
		i := clientgo.FromInformer(native, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
		r := &recorder{}
		handle, err := i.AddEventHandlerWithResyncPeriod(r, 40*time.Second)
		noError(t, err)
		server.Set(podIn("n", "a"))
		it := &informerTest{SharedIndexInformer: i, T: t}
		it.start()
		calls := r.take()
		want(t, "calls", calls[:1], []string{"add a true"})
		if len(calls) != 2 || !handle.HasSynced() || !i.HasSynced() {
			t.Errorf("calls %v, synced %v, %v", calls, handle.HasSynced(), i.HasSynced())
		}
		pod, err := corelisters.NewPodLister(i.GetIndexer()).Pods("n").Get("a")
		noError(t, err)
		if own, _ := native.Store().Reader().Get(types.NamespacedName{Namespace: "n", Name: "a"}); own != pod {
			t.Error("the lister has another copy")
		}
		all, err := corelisters.NewPodLister(i.GetIndexer()).Pods("n").List(labels.Everything())
		noError(t, err)
		if typed, err := clientgo.StoreOf[*corev1.Pod](i); len(all) != 1 || err != nil || typed != native.Store() {
			t.Errorf("%d pods, store of the informer: %v", len(all), err)
		}
		if i.SetTransform(nil) == nil || i.SetWatchErrorHandler(nil) == nil {
			t.Error("options of a native informer were changed")
		}
		it.stop()
	})
}

func TestFind(t *testing.T) {
	testOurs(t, func(t *informerTest) {
		noError(t.T, t.AddIndexers(cache.Indexers{
			"node": func(obj any) ([]string, error) { return []string{obj.(*podType).Spec.NodeName}, nil },
			"name": func(obj any) ([]string, error) { return []string{obj.(*podType).Name[:1]}, nil },
		}))
		for _, name := range []string{"a1", "a2", "b"} {
			noError(t.T, t.GetStore().Add(t.pod(name)))
		}
		found, err := clientgo.Find(t.GetIndexer(), labels.Everything(),
			clientgo.Term{Name: "name", Value: "a"}, clientgo.Term{Name: "node", Value: "node-of-a2"})
		noError(t.T, err)
		if all := slices.Collect(found); len(all) != 1 || all[0].GetName() != "a2" {
			t.Errorf("found %v", all)
		}
		pods, err := clientgo.StoreOf[*podType](t.SharedIndexInformer)
		noError(t.T, err)
		labeled := t.pod("c").(*podType)
		labeled.Labels = map[string]string{"app": "x"}
		noError(t.T, t.GetStore().Add(labeled))
		for _, value := range []string{"c", "a"} {
			for range 2 { // without and with an index of labels
				found, err := clientgo.Find(t.GetIndexer(), labels.SelectorFromSet(labels.Set{"app": "x"}),
					clientgo.Term{Name: "name", Value: value})
				noError(t.T, err)
				if n := len(slices.Collect(found)); (n == 1) != (value == "c") {
					t.Errorf("found %d objects with the label and the name %s", n, value)
				}
				store.AddLabels(pods)
			}
		}
		if _, err := clientgo.Find(t.GetIndexer(), nil, clientgo.Term{Name: "zone"}); err == nil {
			t.Error("no error for an index that does not exist")
		}
		if _, err := clientgo.Find(cache.NewIndexer(nil, nil), nil); err == nil {
			t.Error("no error for an indexer of another package")
		}
	})
}

// An informer with a native source reuses objects, unless it has a transform.
func TestNewInformer(t *testing.T) {
	for n := range 4 {
		transforms, parts := n%2 == 1, n >= 2
		synctest.Test(t, func(t *testing.T) {
			server := runtimetest.NewServer[metav1.Object]()
			server.Set(kinds["typed"].pod("a").(metav1.Object))
			src := &reusable{Server: server}
			held := kinds["typed"].pod("a")
			whole := source.Source[metav1.Object]{ListerWatcher: src, Reuse: src.reuse}
			if parts {
				whole = source.ForEach(source.NewHandover("ns"), func(string) source.Source[metav1.Object] {
					return source.Source[metav1.Object]{ListerWatcher: src, Reuse: src.reuse}
				})
			}
			i := clientgo.NewInformer(schema.GroupVersionResource{Resource: "pods"}, whole, &podType{}, 0, cache.Indexers{})
			noError(t, i.GetStore().Add(held))
			if transforms {
				noError(t, i.SetTransform(func(obj any) (any, error) {
					obj.(*podType).Spec.NodeName = "transformed"
					return obj, nil
				}))
			}
			ctx, cancel := context.WithCancel(t.Context())
			stopped := make(chan struct{})
			go func() { i.RunWithContext(ctx); close(stopped) }()
			cache.WaitFor(ctx, "", i.HasSyncedChecker())
			obj, _, err := i.GetStore().GetByKey("ns/a")
			noError(t, err)
			if got := obj.(*podType).Spec.NodeName == "transformed"; got != transforms || (src.held == any(held)) == transforms {
				t.Errorf("transform %t, parts %t: transformed %t, can reuse %v", transforms, parts, got, src.held)
			}
			cancel()
			<-stopped
		})
	}
}

type reusable struct {
	*runtimetest.Server[metav1.Object]
	held any // what the cache had when the source was read
}

func (s *reusable) reuse(held func(types.NamespacedName) (metav1.Object, bool)) source.ListerWatcher[metav1.Object] {
	s.held, _ = held(types.NamespacedName{Namespace: "ns", Name: "a"})
	return s.Server
}
