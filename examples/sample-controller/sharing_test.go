// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package samplecontroller

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	samplev1alpha1 "k8s.io/sample-controller/pkg/apis/samplecontroller/v1alpha1"
	samplefake "k8s.io/sample-controller/pkg/generated/clientset/versioned/fake"
	sampleinformers "k8s.io/sample-controller/pkg/generated/informers/externalversions"

	"github.com/indexer-gen/indexer-gen/examples/builtin"
	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	ourinformers "github.com/indexer-gen/indexer-gen/runtime/clientgo/informers"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
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
	kubeFactory := ourinformers.NewSharedInformerFactory(kubeClient, 30*time.Second)
	exampleFactory := sampleinformers.NewSharedInformerFactory(exampleClient, 30*time.Second)
	if _, err := clientgo.InformerFor(exampleFactory, &Foo{}, clientgo.InformerOptions{}); err != nil {
		t.Fatal(err)
	}

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
	other := slices.Collect(builtin.NewDeploymentLister(store).ByController(foo.UID))
	if !slices.Equal(other, []*Deployment{byClientGo}) {
		t.Errorf("by its controller, from the lister of another package: %v", other)
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

// TestNamespace gives a factory a namespace and a selector.
func TestNamespace(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	in := func(namespace, name, app string) *appsv1.Deployment {
		return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, Labels: map[string]string{"app": app},
		}}
	}
	client := kubefake.NewClientset(in("shop", "web", "web"), in("shop", "db", "db"), in("other", "web", "web"))
	namespace, tweak := "shop", func(opts *metav1.ListOptions) { opts.LabelSelector = "app=web" }

	factory := ourinformers.NewSharedInformerFactory(client, 0,
		ourinformers.WithNamespace(namespace), ourinformers.WithTweakListOptions(tweak))

	deployments := factory.Apps().V1().Deployments()
	informer := deployments.Informer()
	factory.StartWithContext(ctx)
	defer factory.Shutdown()
	defer cancel()
	if err := clientgo.WaitForSync(ctx, informer); err != nil {
		t.Fatal(err)
	}
	found, err := deployments.Lister().List(labels.Everything())
	if err != nil || len(found) != 1 || found[0].Namespace != "shop" || found[0].Name != "web" {
		t.Errorf("%v, %v", found, err)
	}
}

// TestInformerForTooLate switches an informer that the factory has made already.
func TestInformerForTooLate(t *testing.T) {
	factory := informers.NewSharedInformerFactory(kubefake.NewClientset(), 0)
	deployments := factory.Apps().V1().Deployments()
	deployments.Lister()
	_, late := clientgo.InformerFor(factory, &Deployment{}, clientgo.InformerOptions{})
	_, err := clientgo.StoreOf[*Deployment](deployments.Informer())
	_, added := clientgo.AddEventHandler(deployments.Informer(), cache.ResourceEventHandlerFuncs{})
	for _, err := range []error{late, err, added, clientgo.WaitForSync(t.Context(), deployments.Informer())} {
		if err == nil || !strings.Contains(err.Error(), "call InformerFor before") {
			t.Errorf("the error is %v", err)
		}
	}
}

// TestHandlers adds handlers that may fall behind.
func TestHandlers(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	factory := ourinformers.NewSharedInformerFactory(kubefake.NewClientset(&appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "web"},
	}), 0)
	deployments := factory.Apps().V1().Deployments().Informer()
	added := make(chan string, 3)
	handler := cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) { added <- obj.(*Deployment).Name }}

	// At most 100 changes are pending. The informer then waits for the handler.
	_, err := clientgo.AddEventHandler(deployments, handler, informer.WithBuffer(100))
	if err != nil {
		t.Fatal(err)
	}
	// At most one change per object is pending. The handler gets the latest state.
	_, err = clientgo.AddEventHandler(deployments, handler, informer.WithCoalescing())
	if err != nil {
		t.Fatal(err)
	}
	// The typed handlers of client-go get the same objects.
	_, err = cache.NewTypedSharedIndexInformer[*Deployment](deployments).AddTypedEventHandler(
		cache.TypedResourceEventHandlerFuncs[*Deployment]{AddFunc: func(d *Deployment) { added <- d.Name }})
	if err != nil {
		t.Fatal(err)
	}

	factory.StartWithContext(ctx)
	defer factory.Shutdown()
	defer cancel()
	for range 3 {
		select {
		case name := <-added:
			if name != "web" {
				t.Errorf("%q was added", name)
			}
		case <-ctx.Done():
			t.Fatal("a handler was not called")
		}
	}
}
