// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// moved returns generations whose second one has every Pod on another node.
func (w *world) moved() *[2][]*corev1.Pod {
	gens := &[2][]*corev1.Pod{w.gens[0], make([]*corev1.Pod, w.n)}
	for _, i := range w.made[1] {
		p := w.pod(i, 1)
		p.Spec.NodeName = nodeName(draw(i, 11, w.nodes()))
		gens[1][i] = p
	}
	return gens
}

// moveRows are the updates that change one index.
func moveRows(w *world, o *ours, t *theirs) []row {
	gens := w.moved()
	return []row{{
		name: "update that moves one index", target: 2, ours: w.cycle(gens).into(o), theirs: w.cycle(gens).into(t),
	}}
}

const moveTwoRow = "update that moves two of six indexes"

// Values of composite indexes are comparable structs, as generated code has them.
type (
	nodePhase struct {
		node  string
		phase corev1.PodPhase
	}
	appPhase struct {
		app   string
		phase corev1.PodPhase
	}
)

// moveTwoRows are updates of the node, in stores in which the index by node and phase uses it too.
func moveTwoRows(w *world) []row {
	gens := w.moved()
	o, t := newOurs(), newTheirs()
	store.AddIndex(o.podStore, "node, phase", func(dst []nodePhase, p *corev1.Pod) []nodePhase {
		return append(dst, nodePhase{p.Spec.NodeName, p.Status.Phase})
	})
	store.AddIndex(o.podStore, "app, phase", func(dst []appPhase, p *corev1.Pod) []appPhase {
		return append(dst, appPhase{p.Labels["app"], p.Status.Phase})
	})
	must(t.AddIndexers(cache.Indexers{
		"node, phase": func(o any) ([]string, error) {
			p := o.(*corev1.Pod)
			return []string{p.Spec.NodeName + "/" + string(p.Status.Phase)}, nil
		},
		"app, phase": func(o any) ([]string, error) {
			p := o.(*corev1.Pod)
			return []string{p.Labels["app"] + "/" + string(p.Status.Phase)}, nil
		},
	}))
	w.fill(o)
	w.fill(t)
	return []row{{
		name: moveTwoRow, target: 0.75, ours: w.cycle(gens).into(o), theirs: w.cycle(gens).into(t),
	}}
}
