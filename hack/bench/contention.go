// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// beside runs background over and over in a goroutine while s does its
// operations, and counts how often.
func beside(s side, background func(), rate *float64) side {
	return func(n int) {
		var stop atomic.Bool
		done := make(chan struct{})
		ran := 0
		start := time.Now()
		go func() {
			defer close(done)
			for !stop.Load() {
				background()
				ran++
			}
		}()
		s(n)
		stop.Store(true)
		<-done
		*rate = time.Since(start).Seconds() * 1e9 / float64(max(ran, 1))
	}
}

// contended are pairs of rows: the measured work, and the work beside it.
type contended struct {
	row
	beside               string
	target               float64
	oursRate, theirsRate *float64
}

func contentionRows(w *world, o *ours, t *theirs) []contended {
	keys, nodes := w.keys(), values(w, w.nodes(), nodeName)
	mine, other := w.cycle(&w.gens), w.cycle(&w.gens)
	oWrite, tWrite := func() { o.set(mine.next()) }, func() { t.set(other.next()) }
	oNode := each(nodes, func(v string) {
		for p := range o.node.Get(o.Reader(), v) {
			touch(p)
		}
	})
	tNode := each(nodes, func(v string) {
		for _, p := range t.by("node", v) {
			touch(p.(*corev1.Pod))
		}
	})
	oGet := each(keys, func(k types.NamespacedName) {
		p, err := o.lister.Namespace(k.Namespace).Get(k.Name)
		must(err)
		touch(p)
	})
	tGet := each(keys, func(k types.NamespacedName) {
		p, err := t.lister.Pods(k.Namespace).Get(k.Name)
		must(err)
		touch(p)
	})
	make2 := func(name string, target float64, mine, theirs side, oBack, tBack func(), what string, whatTarget float64) contended {
		a, b := new(float64), new(float64)
		return contended{
			row: row{
				name:   name,
				wall:   true,
				target: target,
				ours:   beside(mine, oBack, a),
				theirs: beside(theirs, tBack, b),
			},
			beside: what, target: whatTarget, oursRate: a, theirsRate: b,
		}
	}
	return []contended{
		make2(
			"Get while a writer saturates",
			10,
			oGet,
			tGet,
			oWrite,
			tWrite,
			"that writer's updates, beside Get",
			1,
		),
		make2(
			"by index (50) while a writer saturates",
			10,
			oNode,
			tNode,
			oWrite,
			tWrite,
			"that writer's updates, beside by index",
			1,
		),
		make2("update while a reader saturates by index", 1, times(oWrite), times(tWrite),
			func() { oNode(1) }, func() { tNode(1) }, "that reader's reads by index", 0),
	}
}

// measureContended measures both halves.
func (c clock) measureContended(w *world, r contended) []result {
	var ours, theirs []float64
	record := func(rate *float64, into *[]float64, s side) side {
		return func(n int) { s(n); *into = append(*into, *rate) }
	}
	inner := r.row
	inner.ours, inner.theirs = record(r.oursRate, &ours, r.ours), record(r.theirsRate, &theirs, r.theirs)
	first := c.measure(w, inner)
	// What calibrating has recorded comes first, and is left out.
	ours, theirs = ours[len(ours)-c.rounds:], theirs[len(theirs)-c.rounds:]
	a, b := slices.Min(ours), slices.Min(theirs)
	// Allocations of the two halves cannot be told apart.
	first.OursAllocs, first.TheirsAllocs, first.OursBytes, first.TheirsBytes = -1, -1, -1, -1
	second := result{Name: r.beside, Objects: w.n, Labels: w.labels, Unit: "ns", Target: r.target,
		Ours: a, Theirs: b, Ratio: b / a, OursAllocs: -1, TheirsAllocs: -1, OursBytes: -1, TheirsBytes: -1}
	return []result{first, second}
}
