// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

// theirs is client-go's indexer with the index functions that controllers
// write for it, and its typed lister.
type theirs struct {
	cache.Indexer
	lister listers.PodLister
}

func newTheirs() *theirs {
	s := cache.NewIndexer(cache.MetaNamespaceKeyFunc, theirIndexers())
	return &theirs{Indexer: s, lister: listers.NewPodLister(s)}
}

func theirIndexers() cache.Indexers {
	return cache.Indexers{
		cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
		"node": func(o any) ([]string, error) {
			return []string{o.(*corev1.Pod).Spec.NodeName}, nil
		},
		"owner": func(o any) ([]string, error) {
			var uids []string
			for _, ref := range o.(*corev1.Pod).OwnerReferences {
				uids = append(uids, string(ref.UID))
			}
			return uids, nil
		},
		"app": func(o any) ([]string, error) {
			return []string{o.(*corev1.Pod).Labels["app"]}, nil
		},
	}
}

func (t *theirs) set(p *corev1.Pod)    { must(t.Update(p)) }
func (t *theirs) delete(p *corev1.Pod) { must(t.Delete(p)) }

// by asks an index; hits must be cast.
func (t *theirs) by(index, value string) []any {
	objs, err := t.ByIndex(index, value)
	must(err)
	return objs
}

func (t *theirs) list(selector labels.Selector) []*corev1.Pod {
	pods, err := t.lister.List(selector)
	must(err)
	return pods
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
