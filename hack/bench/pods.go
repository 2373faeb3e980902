// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// The mean number of objects under a value of each index.
const (
	perNamespace = 100
	perNode      = 50
	perOwner     = 10
	perApp       = 200
)

var phases = []corev1.PodPhase{corev1.PodRunning, corev1.PodPending, corev1.PodFailed}

// world is what a store holds: n Pods in two generations that differ in their
// resourceVersion and in nothing else, and share no memory.
type world struct {
	n    int
	gens [2][]*corev1.Pod
	made [2][]int // in which order they were made
	rng  *rand.Rand
}

func newWorld(n int) *world {
	w := &world{n: n, rng: rand.New(rand.NewPCG(1, 2))}
	for g := range w.gens {
		w.gens[g] = make([]*corev1.Pod, n)
		w.made[g] = w.rng.Perm(n)
		for _, i := range w.made[g] {
			w.gens[g][i] = w.pod(i, g)
		}
	}
	return w
}

// draw spreads the attributes of Pod i, each independently of the others.
func draw(i, attribute, n int) int {
	x := uint64(i)*0x9e3779b97f4a7c15 + uint64(attribute)*0xbf58476d1ce4e5b9
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) % uint64(max(n, 1)))
}

func (w *world) namespaces() int { return max(w.n/perNamespace, 1) }
func (w *world) nodes() int      { return max(w.n/perNode, 1) }
func (w *world) owners() int     { return max(w.n/perOwner, 1) }
func (w *world) apps() int       { return max(w.n/perApp, 1) }

func namespaceName(i int) string { return fmt.Sprintf("ns-%d", i) }
func podName(i int) string       { return fmt.Sprintf("pod-%d", i) }
func nodeName(i int) string      { return fmt.Sprintf("node-%d", i) }
func ownerUID(i int) types.UID   { return types.UID(fmt.Sprintf("owner-%d", i)) }
func appName(i int) string       { return fmt.Sprintf("app-%d", i) }

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func (w *world) pod(i, generation int) *corev1.Pod {
	controller := true
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:         namespaceName(draw(i, 0, w.namespaces())),
			Name:              podName(i),
			ResourceVersion:   fmt.Sprint(1_000_000*(generation+1) + i),
			UID:               types.UID(fmt.Sprintf("uid-%d", i)),
			CreationTimestamp: metav1.NewTime(epoch.Add(time.Duration(draw(i, 1, 1<<22)) * time.Second)),
			OwnerReferences: []metav1.OwnerReference{
				{UID: ownerUID(draw(i, 2, w.owners())), Controller: &controller},
			},
			Labels: map[string]string{"app": appName(draw(i, 3, w.apps()))},
		},
		Spec:   corev1.PodSpec{NodeName: nodeName(draw(i, 4, w.nodes()))},
		Status: corev1.PodStatus{Phase: phases[draw(i, 6, len(phases))]},
	}
}

// keys returns the keys of many Pods drawn at random, in memory of their own.
func (w *world) keys() []types.NamespacedName {
	keys := make([]types.NamespacedName, 1<<16)
	for j := range keys {
		i := w.rng.IntN(w.n)
		keys[j] = types.NamespacedName{Namespace: namespaceName(draw(i, 0, w.namespaces())), Name: podName(i)}
	}
	return keys
}

// values returns many of the n values that name makes, drawn at random.
func values[V any](w *world, n int, name func(int) V) []V {
	vs := make([]V, 1<<12)
	for j := range vs {
		vs[j] = name(w.rng.IntN(n))
	}
	return vs
}
