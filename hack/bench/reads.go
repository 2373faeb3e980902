// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"

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
	owners := values(w, w.owners(), ownerUID)
	namespaces := values(w, w.namespaces(), namespaceName)
	var slice []*corev1.Pod
	for p := range o.lister.All() {
		slice = append(slice, p)
	}
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
		{name: "by index, 10 hits",
			ours: each(owners, func(v types.UID) {
				for p := range o.owner.Get(o.Reader(), v) {
					touch(p)
				}
			}),
			theirs: each(owners, func(v types.UID) {
				for _, p := range t.by("owner", string(v)) {
					touch(p.(*corev1.Pod))
				}
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
		{name: "200 hits, against a slice of the same",
			ours: each(apps, func(v string) {
				for p := range o.app.Get(o.Reader(), v) {
					touch(p)
				}
			}),
			theirs: each(lists(o, apps), func(list []*corev1.Pod) {
				for _, p := range list {
					touch(p)
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
		{name: "iterate everything, untouched", target: 8,
			ours: times(func() {
				for p := range o.lister.All() {
					if p != nil {
						seen++
					}
				}
			}),
			theirs: times(func() {
				for _, p := range t.list(labels.Everything()) {
					if p != nil {
						seen++
					}
				}
			}),
		},
		{name: "iterate everything, touched",
			ours: times(func() {
				for p := range o.lister.All() {
					touch(p)
				}
			}),
			theirs: times(func() {
				for _, p := range t.list(labels.Everything()) {
					touch(p)
				}
			}),
		},
		{name: "iterate touched, against a plain slice", target: 1 / 1.3,
			ours: times(func() {
				for p := range o.lister.All() {
					touch(p)
				}
			}),
			theirs: times(func() {
				for _, p := range slice {
					touch(p)
				}
			}),
		},
	}
}

// lists returns the hits of each app as a slice: what reading them costs if
// finding them costs nothing.
func lists(o *ours, apps []string) (lists [][]*corev1.Pod) {
	byApp := map[string][]*corev1.Pod{}
	for _, app := range apps {
		if byApp[app] == nil {
			byApp[app] = slices.Collect(o.app.Get(o.Reader(), app))
		}
		lists = append(lists, byApp[app])
	}
	return lists
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
