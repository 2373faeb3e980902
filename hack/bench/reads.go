// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
)

// seen keeps what reads find from being optimized away.
var seen int //nolint:unused // it is written to

// touch dereferences a hit, as a caller would.
func touch(p *corev1.Pod) {
	if p.Status.Phase == corev1.PodRunning {
		seen++
	}
}

// readRows are reads of a store without concurrent writes.
func readRows(w *world, o *ours, t *theirs) []row {
	keys := w.keys()
	nodes, apps := values(w, w.nodes(), nodeName), values(w, w.apps(), appName)
	namespaces := values(w, w.namespaces(), namespaceName)
	return []row{
		{name: "Get(namespace, name)", target: 2.5,
			ours: each(keys, func(k types.NamespacedName) {
				p, err := o.lister.Namespace(k.Namespace).Get(k.Name)
				must(err)
				touch(p)
			}),
			theirs: each(keys, func(k types.NamespacedName) {
				p, err := t.lister.Pods(k.Namespace).Get(k.Name)
				must(err)
				touch(p)
			}),
		},
		{name: "by index, 50 hits", target: 10,
			ours: each(nodes, func(v string) {
				for p := range o.node.Get(o.Reader(), v) {
					touch(p)
				}
			}),
			theirs: each(nodes, func(v string) {
				for _, p := range t.by("node", v) {
					touch(p.(*corev1.Pod))
				}
			}),
		},
		{name: "by index, 200 hits", target: 10,
			ours: each(apps, func(v string) {
				for p := range o.app.Get(o.Reader(), v) {
					touch(p)
				}
			}),
			theirs: each(apps, func(v string) {
				for _, p := range t.by("app", v) {
					touch(p.(*corev1.Pod))
				}
			}),
		},
		{name: "namespace list of 100", target: 10,
			ours: each(namespaces, func(v string) {
				for p := range o.lister.Namespace(v).All() {
					touch(p)
				}
			}),
			theirs: each(namespaces, func(v string) {
				pods, err := t.lister.Pods(v).List(labels.Everything())
				must(err)
				for _, p := range pods {
					touch(p)
				}
			}),
		},
	}
}

// each makes a side that does f with one argument after the other.
func each[V any](args []V, f func(V)) side {
	next := 0
	return func(n int) {
		for range n {
			f(args[next])
			if next++; next == len(args) {
				next = 0
			}
		}
	}
}

func times(f func()) side {
	return func(n int) {
		for range n {
			f()
		}
	}
}
