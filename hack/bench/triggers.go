// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"iter"
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/trigger"
)

// triggerRows find the Pods that an event of a node concerns, on client-go's side by an index function.
func triggerRows(w *world, o *ours, t *theirs) []row {
	nodes := make([]*corev1.Pod, 1<<12)
	for i, name := range values(w, w.nodes(), nodeName) {
		nodes[i] = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}}
	}
	unused := runtimetest.NewServer[*corev1.Pod]() // neither informer runs
	pods := informer.New(corev1.SchemeGroupVersion.WithResource("pods"), unused.Source(), o.podStore)
	edge := trigger.On(trigger.For(pods), pods, nodeOf, func(node string) iter.Seq[*corev1.Pod] {
		return o.node.Get(o.Reader(), node)
	})
	return []row{{name: "event → keys, 50 hits", target: 4,
		ours: each(nodes, func(node *corev1.Pod) {
			for key := range edge.Concerned(node) {
				seen += len(key.Name)
			}
		}),
		theirs: each(nodes, func(node *corev1.Pod) {
			for _, pod := range t.by("node", node.Name) {
				key, err := cache.MetaNamespaceKeyFunc(pod)
				must(err)
				seen += len(key)
			}
		}),
	}}
}

func nodeOf(dst []string, p *corev1.Pod) []string { return append(dst, p.Spec.NodeName) }

// triggers adds a row for the way from an event of a node to the keys of its Pods in a loop body: on
// our side by a trigger, on client-go's by an index function, a handler and a work queue as controllers
// write them. Each node has one event, so that each key comes once. The time is that of a key.
func (b *bench) triggers(w *world, pods *feed) {
	nodes := w.nodeFeed()
	b.pair(w, "event → keys in a loop, 50 an event", 0,
		func() spent { return triggered(w, pods, nodes, ourKeys) },
		func() spent { return triggered(w, pods, nodes, theirKeys) })
}

// nodeFeed has an update of each node. Nodes are Pods here, of which only the name is read.
func (w *world) nodeFeed() *feed {
	f := &feed{}
	for i := range w.nodes() {
		node := corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: nodeName(i), ResourceVersion: fmt.Sprint(i + 1)}}
		f.list = append(f.list, node)
		node.ResourceVersion = version(i)
		f.updates = append(f.updates, &node)
	}
	return f
}

// triggered is from the first event of a node to the last key. keys calls handled for each key until ctx
// ends.
func triggered(
	w *world, pods, nodes *feed, keys func(ctx context.Context, pods, nodes *feed, handled func()),
) spent {
	pods.ready()
	nodes.ready()
	ctx, stop := context.WithCancel(context.Background())
	initial, all := newCountdown(w.n), newCountdown(2*w.n)
	var running sync.WaitGroup
	running.Go(func() {
		keys(ctx, pods, nodes, func() {
			initial.tick(nil)
			all.tick(nil)
		})
	})
	<-initial.done
	took := stopwatch()
	close(nodes.due)
	<-all.done
	s := took()
	stop()
	running.Wait()
	return s
}

func ourKeys(ctx context.Context, pods, nodes *feed, handled func()) {
	p, n := newOurPipeline(direct{pods}).(ourPipeline).inf, newOurPipeline(direct{nodes}).(ourPipeline).inf
	byNode := store.AddIndex(p.Store(), "of the trigger", nodeOf)
	t := trigger.For(p)
	trigger.On(t, n, nodeOf, func(node string) iter.Seq[*corev1.Pod] {
		return byNode.Get(p.Store().Reader(), node)
	})
	var running sync.WaitGroup
	running.Go(func() { must(p.Run(ctx)) })
	running.Go(func() { must(n.Run(ctx)) })
	for range t.Keys(ctx) {
		handled()
	}
	running.Wait()
}

func theirKeys(ctx context.Context, pods, nodes *feed, handled func()) {
	p, n := newTheirPipeline(pods).(theirPipeline), newTheirPipeline(nodes).(theirPipeline)
	queue := workqueue.NewTyped[string]()
	enqueue := func(obj any) {
		key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj)
		must(err)
		queue.Add(key)
	}
	_, err := p.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: enqueue, UpdateFunc: func(_, obj any) { enqueue(obj) }, DeleteFunc: enqueue,
	})
	must(err)
	_, err = n.AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, obj any) {
			users, err := p.GetIndexer().ByIndex("node", obj.(*corev1.Pod).Name)
			must(err)
			for _, pod := range users {
				enqueue(pod)
			}
		},
	})
	must(err)
	var running sync.WaitGroup
	running.Go(func() { p.run(ctx) })
	running.Go(func() { n.run(ctx) })
	context.AfterFunc(ctx, queue.ShutDown)
	for {
		key, end := queue.Get()
		if end {
			break
		}
		handled()
		queue.Done(key)
	}
	running.Wait()
}
