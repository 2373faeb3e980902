// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"
	fcache "k8s.io/client-go/tools/cache/testing"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

// podType is registered, so that its informers have typed stores.
type podType struct{ corev1.Pod }

func (p *podType) DeepCopyObject() runtime.Object { return &podType{*p.Pod.DeepCopy()} }

func init() { clientgo.Register[*podType]() }

// TestMain drops the error handler that sleeps after an error of another bubble, whose clock differs.
func TestMain(m *testing.M) {
	utilruntime.ErrorHandlers = utilruntime.ErrorHandlers[:1]
	m.Run()
}

type constructor func(
	cache.ListerWatcher, runtime.Object, time.Duration, cache.Indexers) cache.SharedIndexInformer

// kinds are the informers that the tests compare: client-go's, and ours in a store of metav1.Object
// and in a typed one.
var kinds = map[string]struct {
	make constructor
	pod  func(name string) runtime.Object
}{
	"client-go": {cache.NewSharedIndexInformer, newPod},
	"ours":      {clientgo.NewSharedIndexInformer, newPod},
	"typed":     {clientgo.NewSharedIndexInformer, newPodType},
}

func newPod(name string) runtime.Object {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name},
		Spec:       corev1.PodSpec{NodeName: "node-of-" + name},
	}
}

func newPodType(name string) runtime.Object { return &podType{*newPod(name).(*corev1.Pod)} }

func podOf(obj any) *corev1.Pod {
	if typed, ok := obj.(*podType); ok {
		return &typed.Pod
	}
	return obj.(*corev1.Pod)
}

// informerTest is an informer of Pods with a source.
type informerTest struct {
	cache.SharedIndexInformer
	*testing.T
	source *fcache.FakeControllerSource
	pod    func(name string) runtime.Object
	ctx    context.Context
	stop   func() // stops the informer and waits
}

// testInformers runs test with each kind of informer, in a bubble. The informer is not running yet.
func testInformers(t *testing.T, resync time.Duration, test func(t *informerTest)) {
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				kind := kinds[name]
				source := fcache.NewFakeControllerSource()
				defer source.Shutdown()
				i := kind.make(source, kind.pod(""), resync, cache.Indexers{
					cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
				})
				it := &informerTest{SharedIndexInformer: i, T: t, source: source, pod: kind.pod, stop: func() {}}
				test(it)
				it.stop()
			})
		})
	}
}

// start runs the informer, and waits until it has processed all objects.
func (t *informerTest) start() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		t.RunWithContext(ctx)
	}()
	t.ctx = ctx
	t.stop = sync.OnceFunc(func() {
		cancel()
		<-done
	})
	t.settle()
}

// settle waits for retries, and until nothing is going on any more.
func (t *informerTest) settle() {
	time.Sleep(time.Minute) // of the bubble
	synctest.Wait()
}

// add adds a handler that records its calls.
func (t *informerTest) add(opts ...time.Duration) *recorder {
	t.Helper()
	r := &recorder{}
	var err error
	if len(opts) == 0 {
		r.handle, err = t.AddEventHandler(r)
	} else {
		r.handle, err = t.AddEventHandlerWithResyncPeriod(r, opts[0])
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (t *informerTest) want(what string, got, want any) {
	t.Helper()
	if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
		t.Errorf("%s: got %s, want %s", what, g, w)
	}
}

// recorder is a handler that records its calls.
type recorder struct {
	handle cache.ResourceEventHandlerRegistration
	mu     sync.Mutex
	calls  []string
	block  chan struct{} // calls wait for it
}

func (r *recorder) record(format string, args ...any) {
	if r.block != nil {
		<-r.block
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, fmt.Sprintf(format, args...))
}

// take returns the calls since the last take, sorted.
func (r *recorder) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	calls := r.calls
	r.calls = nil
	slices.Sort(calls)
	return calls
}

func (r *recorder) OnAdd(obj any, initial bool) { r.record("add %s %v", podOf(obj).Name, initial) }
func (r *recorder) OnUpdate(old, new any) {
	r.record("update %s %s→%s", podOf(new).Name, podOf(old).ResourceVersion, podOf(new).ResourceVersion)
}
func (r *recorder) OnDelete(obj any) {
	if unknown, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		r.record("unknown %s %s", unknown.Key, podOf(unknown.Obj).Name)
		return
	}
	r.record("delete %s", podOf(obj).Name)
}
