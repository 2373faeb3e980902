// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cache

import (
	"context"
	"errors"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
)

type Config struct {
	Queue            Queue
	ListerWatcher    ListerWatcher
	ObjectType       runtime.Object
	FullResyncPeriod time.Duration // not used
	Process          PopProcessFunc
	ProcessBatch     func(deltas []Delta, isInInitialList bool) error // not used
}

// podController is a controller of Pods.
type podController struct{ c *Config }

func New(c *Config) *podController { return &podController{c} }

func (c *podController) HasSynced() bool { return c.c.Queue.HasSynced() }

func (c *podController) RunWithContext(ctx context.Context) {
	_, src := sourceOf(c.c.ListerWatcher)
	q := &podQueue{sink: sink{c.c.Queue, func(string, bool) {}}, queue: c.c.Queue}
	defer context.AfterFunc(ctx, c.c.Queue.Close)()
	queue.Controller[*corev1.Pod]{
		Source: src, Queue: q,
		Process: func(context.Context, *delta.Batch[types.NamespacedName, *corev1.Pod]) error {
			return c.c.Process(q.popped, q.initial)
		},
	}.Run(ctx)
}

// podQueue is a queue of the tests as one of a controller. Its batches are empty: Process looks at popped.
type podQueue struct {
	sink
	queue   Queue
	popped  any
	initial bool
}

func (q *podQueue) Pop(
	_ context.Context, process func(*delta.Batch[types.NamespacedName, *corev1.Pod]) error,
) error {
	_, err := q.queue.Pop(func(obj any, initial bool) error {
		q.popped, q.initial = obj, initial
		return process(nil)
	})
	if errors.Is(err, cache.ErrFIFOClosed) {
		return queue.ErrClosed
	}
	return err
}

// processDeltas writes deltas to a store and calls a handler.
func processDeltas(
	_ klog.Logger, h cache.ResourceEventHandler, s Store, deltas Deltas, initial bool, _ KeyFunc,
) error {
	for _, d := range deltas {
		switch d.Type {
		case Deleted:
			if err := s.Delete(d.Object); err != nil {
				return err
			}
			h.OnDelete(d.Object)
			continue
		}
		old, exists, err := s.Get(d.Object)
		if err != nil {
			return err
		}
		if err := s.Update(d.Object); err != nil {
			return err
		}
		if exists {
			h.OnUpdate(old, d.Object)
		} else {
			h.OnAdd(d.Object, initial)
		}
	}
	return nil
}

// processDeltasInBatch is for ProcessBatch, which is not used.
func processDeltasInBatch(
	logger klog.Logger, h cache.ResourceEventHandler, s Store, deltas []Delta, initial bool, key KeyFunc,
) error {
	return processDeltas(logger, h, s, deltas, initial, key)
}
