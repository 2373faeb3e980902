// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime_test

import (
	"context"
	"maps"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/go-logr/logr/funcr"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
)

// counting counts the requests that are added.
type counting struct {
	priorityqueue.PriorityQueue[reconcile.Request]
	added int
}

func (c *counting) Add(r reconcile.Request) {
	c.AddWithOpts(priorityqueue.AddOpts{}, r)
}

func (c *counting) AddWithOpts(o priorityqueue.AddOpts, r ...reconcile.Request) {
	c.added += len(r)
	c.PriorityQueue.AddWithOpts(o, r...)
}

func TestEnqueueMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		queue := &counting{PriorityQueue: priorityqueue.New[reconcile.Request]("test")}
		defer queue.ShutDown()
		h := ctrlruntime.EnqueueMany(users)
		old := newSecret("a", map[string]string{"users": "one two one"})
		obj := newSecret("a", map[string]string{"users": "two three"})
		obj.ResourceVersion = "2"
		h.Create(t.Context(), event.CreateEvent{Object: old, IsInInitialList: true}, queue)
		if got := drain(queue); queue.added != 2 ||
			!maps.Equal(got, map[string]int{"one": handler.LowPriority, "two": handler.LowPriority}) {
			t.Errorf("of the initial list, %v with %d additions", got, queue.added)
		}
		queue.added = 0
		h.Update(t.Context(), event.UpdateEvent{ObjectOld: old, ObjectNew: obj}, queue)
		if got := drain(queue); queue.added != 3 || !maps.Equal(got, map[string]int{"one": 0, "two": 0, "three": 0}) {
			t.Errorf("of an update, %v with %d additions", got, queue.added)
		}
	})
}

func TestEnqueueManyNamesTheWrongType(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		queue := priorityqueue.New[reconcile.Request]("test")
		defer queue.ShutDown()
		var logged strings.Builder
		logger := funcr.New(func(_, args string) { logged.WriteString(args) }, funcr.Options{})
		ctx := log.IntoContext(context.Background(), logger)
		var other client.Object = &corev1.ConfigMap{}
		ctrlruntime.EnqueueMany(users).Create(ctx, event.CreateEvent{Object: other}, queue)
		if got := drain(queue); len(got) > 0 || !strings.Contains(logged.String(), "*v1.Secret") ||
			!strings.Contains(logged.String(), "*v1.ConfigMap") {
			t.Errorf("the queue has %v, and the log %s", got, logged.String())
		}
	})
}
