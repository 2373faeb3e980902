// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/cache"

	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
)

// peer is the name of client-go's informer.
const peer = "client-go"

// poll is how often the store of client-go's informer is looked at.
const poll = 5 * time.Millisecond

// peerInformer is client-go's informer, for a comparison of recoveries.
type peerInformer struct {
	cache.SharedIndexInformer
	cancel  context.CancelFunc
	running sync.WaitGroup
}

func peerKind(ctx context.Context, c *clients, _ []informer.Option) (subject, error) {
	client, err := c.typed("")
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	i := &peerInformer{cancel: cancel, SharedIndexInformer: cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
			return client.List(ctx, opts)
		},
		WatchFuncWithContext: client.Watch,
	}, &fleet.Device{}, 0, nil)}
	i.running.Go(func() { i.RunWithContext(ctx) })
	return i, nil
}

// settle waits until the store has the objects of the server. Nothing else changes them meanwhile.
func (i *peerInformer) settle(ctx context.Context, t truth) error {
	for !i.hasAll(t) {
		if err := wait(ctx, poll); err != nil {
			return err
		}
	}
	return nil
}

func (i *peerInformer) hasAll(t truth) bool {
	for _, item := range t.items {
		if _, ok, _ := i.GetStore().GetByKey(item.meta.Namespace + "/" + item.meta.Name); !ok {
			return false
		}
	}
	return true
}

func (i *peerInformer) check(truth, uint64) []string { return nil }

func (i *peerInformer) state() string { return i.LastSyncResourceVersion() }

func (i *peerInformer) stop() {
	i.cancel()
	i.running.Wait()
}
