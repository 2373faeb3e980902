// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"runtime"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// coreRows are reads by the time of day, first from one goroutine and then from one for each
// core. Their quotient says how well reads scale. An operation is one read by any goroutine.
func coreRows(w *world, o *ours, t *theirs) []row {
	cores := runtime.GOMAXPROCS(0)
	keys := func() []types.NamespacedName { return w.keys() }
	nodes := func() []string { return values(w, w.nodes(), nodeName) }
	ourGet := func(k types.NamespacedName) {
		p, err := o.lister.Namespace(k.Namespace).Get(k.Name)
		must(err)
		phase(p)
	}
	theirGet := func(k types.NamespacedName) {
		p, err := t.lister.Pods(k.Namespace).Get(k.Name)
		must(err)
		phase(p)
	}
	ourNode := func(v string) {
		for p := range o.node.Get(o.Reader(), v) {
			phase(p)
		}
	}
	theirNode := func(v string) {
		for _, p := range t.by("node", v) {
			phase(p.(*corev1.Pod))
		}
	}
	return []row{
		{name: "Get, from one goroutine", wall: true,
			ours: spread(1, keys, ourGet), theirs: spread(1, keys, theirGet)},
		{name: "Get, from a goroutine on each core", wall: true,
			ours: spread(cores, keys, ourGet), theirs: spread(cores, keys, theirGet)},
		{name: "by index (50), from one goroutine", wall: true,
			ours: spread(1, nodes, ourNode), theirs: spread(1, nodes, theirNode)},
		{name: "by index (50), from a goroutine on each core", wall: true,
			ours: spread(cores, nodes, ourNode), theirs: spread(cores, nodes, theirNode)},
	}
}

// phase dereferences a hit as touch does. It writes nothing that other goroutines read.
//
//go:noinline
func phase(p *corev1.Pod) bool { return p.Status.Phase == corev1.PodRunning }

// spread makes a side that divides its operations among goroutines. Each of them has arguments
// of its own.
func spread[V any](goroutines int, args func() []V, f func(V)) side {
	sides := make([]side, goroutines)
	for i := range sides {
		sides[i] = each(args(), f)
	}
	return func(n int) {
		var all sync.WaitGroup
		for i, s := range sides {
			all.Go(func() { s((n + i) / goroutines) })
		}
		all.Wait()
	}
}
