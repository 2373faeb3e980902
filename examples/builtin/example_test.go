// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package builtin_test

import (
	"context"
	"fmt"
	"log"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/indexer-gen/indexer-gen/examples/builtin"
)

// A Secret has changed: which Pods must be restarted?
func Example() {
	clientset := fake.NewClientset(
		&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}, Spec: corev1.PodSpec{
			ImagePullSecrets: []corev1.LocalObjectReference{{Name: "registry"}},
		}},
		&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "db"}},
	)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()

	informers := builtin.NewInformers(builtin.InformerSources{
		Pods: builtin.NewPodSource(clientset.CoreV1().Pods("")),
	})
	pods := informers.Pods().Lister()
	informers.Start(ctx)
	defer informers.Shutdown()
	if err := informers.WaitForSync(ctx); err != nil {
		log.Print(err)
		return
	}
	for pod := range pods.BySecret(types.NamespacedName{Namespace: "shop", Name: "registry"}) {
		fmt.Println(pod.Name)
	}
	// Output: web
}
