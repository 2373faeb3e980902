// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// beside runs background over and over in a goroutine while s does its operations.
func beside(s side, background func()) side {
	return func(n int) {
		var stop atomic.Bool
		done := make(chan struct{})
		go func() {
			defer close(done)
			for !stop.Load() {
				background()
			}
		}()
		s(n)
		stop.Store(true)
		<-done
	}
}

// contentionRows are reads beside a goroutine that writes all the time.
func contentionRows(w *world, o *ours, t *theirs) []row {
	keys, nodes := w.keys(), values(w, w.nodes(), nodeName)
	mine, other := w.cycle(&w.gens), w.cycle(&w.gens)
	oWrite, tWrite := func() { o.set(mine.next()) }, func() { t.set(other.next()) }
	return []row{
		{name: "Get while a writer saturates", wall: true, target: 10,
			ours: beside(each(keys, func(k types.NamespacedName) {
				p, err := o.lister.Namespace(k.Namespace).Get(k.Name)
				must(err)
				touch(p)
			}), oWrite),
			theirs: beside(each(keys, func(k types.NamespacedName) {
				p, err := t.lister.Pods(k.Namespace).Get(k.Name)
				must(err)
				touch(p)
			}), tWrite),
		},
		{name: "by index (50) while a writer saturates", wall: true, target: 10,
			ours: beside(each(nodes, func(v string) {
				for p := range o.node.Get(o.Reader(), v) {
					touch(p)
				}
			}), oWrite),
			theirs: beside(each(nodes, func(v string) {
				for _, p := range t.by("node", v) {
					touch(p.(*corev1.Pod))
				}
			}), tWrite),
		},
	}
}
