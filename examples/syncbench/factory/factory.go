// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/examples/syncbench/internal/probe"
	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

// handlers is the number of handlers of Pods.
const handlers = 2

// factory is a running SharedInformerFactory.
type factory struct {
	informers.SharedInformerFactory
	pods   coreinformers.PodInformer
	typed  *PodLister // nil without our informer
	events atomic.Int64
	cancel context.CancelFunc
}

func startFactory(ctx context.Context, client kubernetes.Interface, switched bool) (*factory, error) {
	f := &factory{SharedInformerFactory: informers.NewSharedInformerFactory(client, 0)}
	if switched {
		f.InformerFor(&corev1.Pod{}, newPods) // the line
	}
	f.pods = f.Core().V1().Pods()
	if err := f.pods.Informer().AddIndexers(indexers); err != nil {
		return nil, err
	}
	for range handlers {
		_, err := f.pods.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(any) { f.events.Add(1) },
			UpdateFunc: func(_, _ any) { f.events.Add(1) },
		})
		if err != nil {
			return nil, err
		}
	}
	if switched {
		store, err := clientgo.StoreOf[*corev1.Pod](f.pods.Informer())
		if err != nil {
			return nil, err
		}
		lister := NewPodLister(store)
		f.typed = &lister
	}
	ctx, f.cancel = context.WithCancel(ctx)
	f.StartWithContext(ctx)
	return f, nil
}

func newPods(client kubernetes.Interface, resync time.Duration) cache.SharedIndexInformer {
	pods := client.CoreV1().Pods(metav1.NamespaceAll)
	return clientgo.NewSharedIndexInformer(clientgo.ListWatch(pods, nil),
		&corev1.Pod{}, resync, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
}

// indexers are the program's own. The factory's informers also have cache.NamespaceIndex.
var indexers = cache.Indexers{
	"node":    by(func(p *corev1.Pod) string { return p.Spec.NodeName }),
	"phase":   by(func(p *corev1.Pod) string { return string(p.Status.Phase) }),
	"app":     by(func(p *corev1.Pod) string { return p.Labels["app"] }),
	"ip":      by(func(p *corev1.Pod) string { return p.Status.PodIP }),
	"account": by(func(p *corev1.Pod) string { return p.Namespace + "/" + p.Spec.ServiceAccountName }),
}

func by(value func(*corev1.Pod) string) cache.IndexFunc {
	return func(obj any) ([]string, error) { return []string{value(obj.(*corev1.Pod))}, nil }
}

// delivered waits until each handler has been called for n events.
func (f *factory) delivered(ctx context.Context, n int) error {
	return probe.Until(ctx, func() bool { return f.events.Load() >= int64(handlers*n) })
}

func (f *factory) stop() {
	f.cancel()
	f.Shutdown()
}
