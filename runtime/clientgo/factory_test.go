// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

// InformerFor refuses what would watch other objects than the program wants.
func TestInformerFor(t *testing.T) {
	tweak := func(*metav1.ListOptions) {}
	for name, test := range map[string]struct {
		factory []informers.SharedInformerOption
		early   bool
		example runtime.Object
		opts    clientgo.InformerOptions
		want    string
	}{
		"all":          {example: &corev1.Pod{}},
		"cluster":      {example: &corev1.Node{}},
		"no client":    {example: &corev1.Binding{}, want: "has no client that gets, lists and watches *v1.Binding"},
		"list":         {example: &corev1.PodList{}, want: "has no client"},
		"too late":     {example: &corev1.Pod{}, early: true, want: "call InformerFor before"},
		"no namespace": {factory: []informers.SharedInformerOption{informers.WithNamespace("shop")}, example: &corev1.Pod{}, want: `the namespace "shop" and InformerOptions has ""`},
		"namespace":    {factory: []informers.SharedInformerOption{informers.WithNamespace("shop")}, example: &corev1.Pod{}, opts: clientgo.InformerOptions{Namespace: "shop"}},
		"no tweak":     {factory: []informers.SharedInformerOption{informers.WithTweakListOptions(tweak)}, example: &corev1.Pod{}, want: "has TweakListOptions"},
		"tweak":        {factory: []informers.SharedInformerOption{informers.WithTweakListOptions(tweak)}, example: &corev1.Pod{}, opts: clientgo.InformerOptions{TweakListOptions: tweak}},
		"only ours":    {example: &corev1.Pod{}, opts: clientgo.InformerOptions{Namespace: "shop"}, want: `the namespace "" and InformerOptions has "shop"`},
	} {
		t.Run(name, func(t *testing.T) {
			factory := informers.NewSharedInformerFactoryWithOptions(fake.NewClientset(), 0, test.factory...)
			if test.early {
				factory.Core().V1().Pods().Informer()
			}
			i, err := clientgo.InformerFor(factory, test.example, test.opts)
			if test.want != "" {
				if err == nil || !strings.Contains(err.Error(), test.want) {
					t.Errorf("the error is %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := clientgo.Stats(i); !ok {
				t.Errorf("the informer is a %T", i)
			}
		})
	}
}
