// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informers_test

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo/informers"
)

// A lister of client-go reads from our informer.
func ExampleNewSharedInformerFactory() {
	client := fake.NewClientset(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web"}})
	factory := informers.NewSharedInformerFactory(client, 0, informers.WithNamespace("shop"))
	pods := factory.Core().V1().Pods().Lister()

	ctx, cancel := context.WithCancel(context.Background())
	defer factory.Shutdown()
	defer cancel()
	factory.StartWithContext(ctx)
	factory.WaitForCacheSyncWithContext(ctx)
	pod, err := pods.Pods("shop").Get("web")
	fmt.Println(pod.Name, err)
	// Output: web <nil>
}
