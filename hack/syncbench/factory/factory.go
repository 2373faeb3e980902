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

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

// handlers is the number of handlers of Pods.
const handlers = 2

// factory is a running SharedInformerFactory.
type factory struct {
	informers.SharedInformerFactory
	pods    coreinformers.PodInformer
	typed   *PodLister // nil without our informer
	events  atomic.Int64
	arrived chan struct{} // sent to when events grows
	cancel  context.CancelFunc
}

func startFactory(ctx context.Context, client kubernetes.Interface, switched bool) (*factory, error) {
	f := &factory{
		SharedInformerFactory: informers.NewSharedInformerFactory(client, 0), arrived: make(chan struct{}, 1),
	}
	if switched {
		f.InformerFor(&corev1.Pod{}, newPods) // the line
	}
	f.pods = f.Core().V1().Pods()
	if err := f.pods.Informer().AddIndexers(indexers); err != nil {
		return nil, err
	}
	for range handlers {
		_, err := f.pods.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(any) { f.handle() },
			UpdateFunc: func(_, _ any) { f.handle() },
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
	clientgo.Register[*corev1.Pod]()
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

// handle is called by each handler for each event.
func (f *factory) handle() {
	f.events.Add(1)
	select {
	case f.arrived <- struct{}{}:
	default:
	}
}

// delivered waits until each handler has been called for n events.
func (f *factory) delivered(ctx context.Context, n int) error {
	for f.events.Load() < int64(handlers*n) {
		select {
		case <-f.arrived:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (f *factory) stop() {
	f.cancel()
	f.Shutdown()
}
