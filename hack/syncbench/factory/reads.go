// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/probe"
)

// read measures reads of some of pods: by the node through the Indexer, the same with the typed lister if
// there is one, and by client-go's lister.
func (f *factory) read(pods []*corev1.Pod, figures map[string]float64) error {
	indexer, lister := f.pods.Informer().GetIndexer(), f.pods.Lister()
	found := 0
	byIndex := func(p *corev1.Pod) {
		objs, _ := indexer.ByIndex("node", p.Spec.NodeName)
		found += len(objs)
	}
	question := func(p *corev1.Pod) {
		objs, _ := indexer.ByIndex("node", p.Spec.NodeName)
		for _, obj := range objs {
			if obj.(*corev1.Pod) != nil {
				found++
			}
		}
	}
	if f.typed != nil {
		question = func(p *corev1.Pod) {
			for q := range f.typed.ByNode(p.Spec.NodeName) {
				if q != nil {
					found++
				}
			}
		}
	}
	get := func(p *corev1.Pod) {
		if q, _ := lister.Pods(p.Namespace).Get(p.Name); q == p {
			found++
		}
	}
	for name, read := range map[string]func(*corev1.Pod){"byIndex": byIndex, "question": question, "get": get} {
		found = 0
		read(pods[0])
		if found == 0 {
			return fmt.Errorf("%s found nothing", name)
		}
		i := 0
		figures[name], figures[name+"Allocs"] = probe.PerCall(func() {
			i = (i + 7919) % len(pods) // another Pod each time, of another node
			read(pods[i])
		})
	}
	return nil
}
