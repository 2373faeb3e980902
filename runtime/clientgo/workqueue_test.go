// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/trigger"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
)

// The keys of a trigger go into a work queue of client-go, which retries them.
func Example_workQueue() {
	server := runtimetest.NewServer[*corev1.Pod]()
	server.Set(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a"}})
	gvr := corev1.SchemeGroupVersion.WithResource("pods")
	pods := informer.New(gvr, server.Source(), store.ForObjects[*corev1.Pod]())
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { _ = pods.Run(ctx) })

	t := trigger.For(pods)
	queue := workqueue.NewTypedRateLimitingQueue(workqueue.DefaultTypedControllerRateLimiter[trigger.Key]())
	running.Go(func() {
		defer queue.ShutDown()
		for key := range t.Keys(ctx) {
			queue.Add(key)
		}
	})

	failures := []error{errors.New("conflict"), nil}
	reconcile := func(key trigger.Key) error {
		err := failures[0]
		failures = failures[1:]
		fmt.Println("reconciled", key, err)
		if len(failures) == 0 {
			stop()
		}
		return err
	}
	for key, end := queue.Get(); !end; key, end = queue.Get() {
		if err := reconcile(key); err != nil {
			queue.AddRateLimited(key)
		} else {
			queue.Forget(key)
		}
		queue.Done(key)
	}
	running.Wait()
	// Output:
	// reconciled ns/a conflict
	// reconciled ns/a <nil>
}
