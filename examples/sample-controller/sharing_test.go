// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package samplecontroller

import (
	"context"
	"slices"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	samplev1alpha1 "k8s.io/sample-controller/pkg/apis/samplecontroller/v1alpha1"
	samplefake "k8s.io/sample-controller/pkg/generated/clientset/versioned/fake"
	sampleinformers "k8s.io/sample-controller/pkg/generated/informers/externalversions"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

// TestSharing runs sample-controller's factories with our informers. Its listers and handlers, and the
// typed listers, read from one watch per type.
func TestSharing(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	foo := &samplev1alpha1.Foo{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a", UID: "uid-of-a"},
		Spec:       samplev1alpha1.FooSpec{DeploymentName: "web"},
	}
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{
		Namespace: "ns", Name: "web",
		OwnerReferences: []metav1.OwnerReference{
			*metav1.NewControllerRef(foo, samplev1alpha1.SchemeGroupVersion.WithKind("Foo")),
		},
	}}
	kubeClient, exampleClient := kubefake.NewClientset(deployment), samplefake.NewClientset(foo)
	kubeFactory := informers.NewSharedInformerFactory(kubeClient, 30*time.Second)
	exampleFactory := sampleinformers.NewSharedInformerFactory(exampleClient, 30*time.Second)
	kubeFactory.InformerFor(&Deployment{}, NewDeployments)
	exampleFactory.InformerFor(&Foo{}, NewFoos)

	deployments, foos := kubeFactory.Apps().V1().Deployments(), exampleFactory.Samplecontroller().V1alpha1().Foos()
	added := make(chan string, 1)
	_, err := foos.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(obj any) { added <- obj.(*samplev1alpha1.Foo).Name },
	})
	if err != nil {
		t.Fatal(err)
	}
	store, err := clientgo.StoreOf[*Deployment](deployments.Informer())
	if err != nil {
		t.Fatal(err)
	}
	typed := NewDeploymentLister(store)

	kubeFactory.StartWithContext(ctx)
	exampleFactory.StartWithContext(ctx)
	defer exampleFactory.Shutdown()
	defer kubeFactory.Shutdown()
	defer cancel()
	if !cache.WaitForCacheSync(ctx.Done(), deployments.Informer().HasSynced, foos.Informer().HasSynced) {
		t.Fatal("no sync")
	}
	if name := <-added; name != "a" {
		t.Errorf("%q was added", name)
	}
	byClientGo, err := deployments.Lister().Deployments("ns").Get("web")
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Collect(typed.ByController(foo.UID)); !slices.Equal(got, []*Deployment{byClientGo}) {
		t.Errorf("by its controller: %v", got)
	}
	if got, err := foos.Lister().Foos("ns").Get("a"); err != nil || got.Spec.DeploymentName != "web" {
		t.Errorf("%v, %v", got, err)
	}
	watches := 0
	for _, action := range kubeClient.Actions() {
		if action.Matches("watch", "deployments") {
			watches++
		}
	}
	if watches != 1 {
		t.Errorf("%d watches of Deployments", watches)
	}
}
