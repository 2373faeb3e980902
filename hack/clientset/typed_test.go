// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientset

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
)

// The typed informers, indexers and handlers of client-go 0.37 work over our informer.
func TestTypedInformerOfAFactory(t *testing.T) {
	factory := informers.NewSharedInformerFactory(fake.NewClientset(pod("a"), pod("b")), 0)
	ours := func(client kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
		pods := clientgo.ListWatch(client.CoreV1().Pods(""), nil)
		return clientgo.NewSharedIndexInformer(pods, &corev1.Pod{}, resync, cache.Indexers{})
	}
	factory.InformerFor(&corev1.Pod{}, ours)
	typed := factory.Core().V1().Pods().TypedInformer()
	if _, ok := clientgo.Stats(typed); !ok {
		t.Fatal("the factory has an informer of client-go")
	}
	if err := typed.AddTypedIndexers(cache.TypedIndexers[*corev1.Pod]{
		"app": func(p *corev1.Pod) ([]string, error) { return []string{p.Labels["app"]}, nil },
	}); err != nil {
		t.Fatal(err)
	}
	var added atomic.Int32
	handler, err := typed.AddTypedEventHandler(cache.TypedResourceEventHandlerFuncs[*corev1.Pod]{
		AddFunc: func(*corev1.Pod) { added.Add(1) },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	factory.StartWithContext(ctx)
	defer factory.Shutdown()
	defer cancel()
	if !cache.WaitForCacheSync(ctx.Done(), handler.HasSynced) {
		t.Fatal(clientgo.WaitForSync(ctx, typed))
	}
	found, err := typed.GetTypedIndexer().ByTypedIndex("app", "b")
	if err != nil || names(found) != "b" || added.Load() != 2 {
		t.Errorf("ByTypedIndex gives %q, %v, and the handler got %d additions", names(found), err, added.Load())
	}
}
