// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/lister"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

type (
	podKey                 = types.NamespacedName
	podStore               = store.Store[podKey, *corev1.Pod]
	podIndex[V comparable] = store.Index[podKey, *corev1.Pod, V]
)

// ours is the store with the same four indexes, as generated code sets it up.
type ours struct {
	*podStore
	lister lister.Lister[*corev1.Pod]
	node   podIndex[string]
	owner  podIndex[types.UID]
	app    podIndex[string]
}

func newOurs() *ours {
	o := newOursWithoutApp()
	o.app = store.AddIndex(o.podStore, "app", func(dst []string, p *corev1.Pod) []string {
		return append(dst, p.Labels["app"])
	})
	return o
}

// newOursWithLabels has an index of all labels where newOurs has that of one.
func newOursWithLabels() *ours {
	o := newOursWithoutApp()
	store.AddLabels(o.podStore)
	return o
}

func newOursWithoutApp() *ours {
	s := store.ForObjects[*corev1.Pod]()
	return &ours{
		podStore: s,
		lister:   lister.New(s, corev1.Resource("pods")),
		node: store.AddIndex(s, "node", func(dst []string, p *corev1.Pod) []string {
			return append(dst, p.Spec.NodeName)
		}),
		owner: store.AddIndex(s, "owner", lister.Owners[*corev1.Pod]),
	}
}

func (o *ours) set(p *corev1.Pod)    { must(o.Set(p)) }
func (o *ours) delete(p *corev1.Pod) { o.Delete(store.KeyOf(p)) }
