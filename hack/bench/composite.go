// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// The values of composite indexes: comparable structs, as generated code has them.
type (
	nodePhase struct {
		node  string
		phase corev1.PodPhase
	}
	appPhase struct {
		app   string
		phase corev1.PodPhase
	}
	ownerNode struct {
		owner types.UID
		node  string
	}
	namespaceApp    struct{ namespace, app string }
	namespaceSecret struct{ namespace, secret string }
	namespaceAge    struct {
		namespace string
		created   int64
	}
)

func (a namespaceAge) compare(b namespaceAge) int {
	return cmp.Or(cmp.Compare(a.namespace, b.namespace), cmp.Compare(a.created, b.created))
}

// questions are ours with the indexes that the ten questions ask for.
type questions struct {
	*ours
	nodePhase       podIndex[nodePhase]
	appPhase        podIndex[appPhase]
	ownerNode       podIndex[ownerNode]
	namespaceApp    podIndex[namespaceApp]
	namespaceSecret podIndex[namespaceSecret]
	namespaceAge    store.Ordered[types.NamespacedName, *corev1.Pod, namespaceAge]
	name            store.Unique[types.NamespacedName, *corev1.Pod, string]
}

func newQuestions(o *ours) *questions {
	s := o.podStore
	return &questions{
		ours: o,
		nodePhase: store.AddIndex(s, "node, phase", func(dst []nodePhase, p *corev1.Pod) []nodePhase {
			return append(dst, nodePhase{p.Spec.NodeName, p.Status.Phase})
		}),
		appPhase: store.AddIndex(s, "app, phase", func(dst []appPhase, p *corev1.Pod) []appPhase {
			return append(dst, appPhase{p.Labels["app"], p.Status.Phase})
		}),
		ownerNode: store.AddIndex(s, "owner, node", func(dst []ownerNode, p *corev1.Pod) []ownerNode {
			for _, ref := range p.OwnerReferences {
				dst = append(dst, ownerNode{ref.UID, p.Spec.NodeName})
			}
			return dst
		}),
		namespaceApp: store.AddIndex(s, "namespace, app", func(dst []namespaceApp, p *corev1.Pod) []namespaceApp {
			return append(dst, namespaceApp{p.Namespace, p.Labels["app"]})
		}),
		namespaceSecret: store.AddIndex(s, "namespace, secret", func(dst []namespaceSecret, p *corev1.Pod) []namespaceSecret {
			for i := range p.Spec.Volumes {
				if secret := p.Spec.Volumes[i].Secret; secret != nil {
					dst = append(dst, namespaceSecret{p.Namespace, secret.SecretName})
				}
			}
			return dst
		}),
		namespaceAge: store.AddOrdered(s, "namespace, age", func(dst []namespaceAge, p *corev1.Pod) []namespaceAge {
			return append(dst, namespaceAge{p.Namespace, p.CreationTimestamp.Unix()})
		}, namespaceAge.compare),
		name: store.AddUnique(s, "name", func(dst []string, p *corev1.Pod) []string { return append(dst, p.Name) }),
	}
}

// ask is what a composite question is about.
type ask struct {
	namespace, node, app, secret string
	owner                        types.UID
}

// compositeRows are ten questions that client-go answers by the best of its four
// indexes and a filter over what that finds.
func compositeRows(w *world, q *questions, t *theirs) []row {
	asks := make([]ask, 1<<12)
	for j := range asks {
		p := w.gens[0][w.rng.IntN(w.n)] // so that there are hits
		asks[j] = ask{
			namespace: string(
				[]byte(p.Namespace),
			), node: string([]byte(p.Spec.NodeName)), app: string([]byte(p.Labels["app"])),
			secret: string(
				[]byte(p.Spec.Volumes[0].Secret.SecretName),
			), owner: types.UID([]byte(p.OwnerReferences[0].UID)),
		}
	}
	r := q.Reader()
	filter := func(index, value string, match func(*corev1.Pod) bool) {
		for _, o := range t.by(index, value) {
			if p := o.(*corev1.Pod); match(p) {
				touch(p)
			}
		}
	}
	rows := []row{
		{name: "the running Pods of a node",
			ours: each(asks, func(a ask) {
				for p := range q.nodePhase.Get(r, nodePhase{a.node, corev1.PodRunning}) {
					touch(p)
				}
			}),
			theirs: each(asks, func(a ask) {
				filter(
					"node",
					a.node,
					func(p *corev1.Pod) bool { return p.Status.Phase == corev1.PodRunning },
				)
			}),
		},
		{name: "an app's Pods in a namespace",
			ours: each(asks, func(a ask) {
				for p := range q.namespaceApp.Get(r, namespaceApp{a.namespace, a.app}) {
					touch(p)
				}
			}),
			theirs: each(asks, func(a ask) {
				filter("namespace", a.namespace, func(p *corev1.Pod) bool { return p.Labels["app"] == a.app })
			}),
		},
		{name: "an app's Pods on a node, by intersection",
			ours: each(asks, func(a ask) {
				for p := range store.AllOf(q.app.Equal(a.app), q.node.Equal(a.node)).Get(r) {
					touch(p)
				}
			}),
			theirs: each(asks, func(a ask) {
				filter("node", a.node, func(p *corev1.Pod) bool { return p.Labels["app"] == a.app })
			}),
		},
		{name: "an app's failed Pods",
			ours: each(asks, func(a ask) {
				for p := range q.appPhase.Get(r, appPhase{a.app, corev1.PodFailed}) {
					touch(p)
				}
			}),
			theirs: each(asks, func(a ask) {
				filter("app", a.app, func(p *corev1.Pod) bool { return p.Status.Phase == corev1.PodFailed })
			}),
		},
		{name: "how many of an app's Pods are pending",
			ours: each(asks, func(a ask) { seen += q.appPhase.Count(r, appPhase{a.app, corev1.PodPending}) }),
			theirs: each(asks, func(a ask) {
				filter("app", a.app, func(p *corev1.Pod) bool { return p.Status.Phase == corev1.PodPending })
			}),
		},
		{name: "the Pods of a namespace that use a secret",
			ours: each(asks, func(a ask) {
				for p := range q.namespaceSecret.Get(r, namespaceSecret{a.namespace, a.secret}) {
					touch(p)
				}
			}),
			theirs: each(asks, func(a ask) {
				filter("namespace", a.namespace, func(p *corev1.Pod) bool {
					return slices.ContainsFunc(p.Spec.Volumes, func(v corev1.Volume) bool {
						return v.Secret != nil && v.Secret.SecretName == a.secret
					})
				})
			}),
		},
		{name: "the ten oldest Pods of a namespace",
			ours: each(asks, func(a ask) {
				n := 0
				for p := range q.namespaceAge.Ascend(r, store.Between(namespaceAge{a.namespace, 0}, namespaceAge{a.namespace, 1 << 40})) {
					touch(p)
					if n++; n == 10 {
						break
					}
				}
			}),
			theirs: each(asks, func(a ask) {
				objs := t.by("namespace", a.namespace)
				slices.SortFunc(objs, func(x, y any) int {
					return x.(*corev1.Pod).CreationTimestamp.Compare(y.(*corev1.Pod).CreationTimestamp.Time)
				})
				for _, o := range objs[:min(10, len(objs))] {
					touch(o.(*corev1.Pod))
				}
			}),
		},
		{name: "an owner's Pods that are not on a node",
			ours: each(asks, func(a ask) {
				for p := range q.owner.Equal(a.owner).Except(q.node.Equal(a.node)).Get(r) {
					touch(p)
				}
			}),
			theirs: each(asks, func(a ask) {
				filter(
					"owner",
					string(a.owner),
					func(p *corev1.Pod) bool { return p.Spec.NodeName != a.node },
				)
			}),
		},
		{name: "Pods of an owner on a node",
			ours: each(asks, func(a ask) {
				for p := range q.ownerNode.Get(r, ownerNode{a.owner, a.node}) {
					touch(p)
				}
			}),
			theirs: each(asks, func(a ask) {
				filter(
					"owner",
					string(a.owner),
					func(p *corev1.Pod) bool { return p.Spec.NodeName == a.node },
				)
			}),
		},
		{name: "a node's Pods of two apps",
			ours: each(asks, func(a ask) {
				for p := range store.AllOf(q.node.Equal(a.node), q.app.In(a.app, "app-0")).Get(r) {
					touch(p)
				}
			}),
			theirs: each(asks, func(a ask) {
				filter(
					"node",
					a.node,
					func(p *corev1.Pod) bool { return p.Labels["app"] == a.app || p.Labels["app"] == "app-0" },
				)
			}),
		},
	}
	for i := range rows {
		rows[i].name, rows[i].target = "question: "+rows[i].name, 10
	}
	return rows
}
