// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package samplecontroller

import (
	"context"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	kubefake "k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/record"
	samplev1alpha1 "k8s.io/sample-controller/pkg/apis/samplecontroller/v1alpha1"
	clientset "k8s.io/sample-controller/pkg/generated/clientset/versioned"
	samplefake "k8s.io/sample-controller/pkg/generated/clientset/versioned/fake"
	sampleinformers "k8s.io/sample-controller/pkg/generated/informers/externalversions"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	ourinformers "github.com/indexer-gen/indexer-gen/runtime/clientgo/informers"
)

// runBefore runs the controller with the informers of client-go until ctx ends.
func runBefore(
	ctx context.Context, client kubernetes.Interface, exampleClient clientset.Interface, events record.EventRecorder,
) error {
	kubeFactory := informers.NewSharedInformerFactory(client, 30*time.Second)
	exampleFactory := sampleinformers.NewSharedInformerFactory(exampleClient, 30*time.Second)

	controller, err := NewController(client, events,
		kubeFactory.Apps().V1().Deployments(), exampleFactory.Samplecontroller().V1alpha1().Foos())
	if err != nil {
		return err
	}
	kubeFactory.StartWithContext(ctx)
	exampleFactory.StartWithContext(ctx)
	controller.Run(ctx)
	return nil
}

// runAfter runs it with ours.
func runAfter(
	ctx context.Context, client kubernetes.Interface, exampleClient clientset.Interface, events record.EventRecorder,
) error {
	kubeFactory := ourinformers.NewSharedInformerFactory(client, 30*time.Second)
	exampleFactory := sampleinformers.NewSharedInformerFactory(exampleClient, 30*time.Second)
	if _, err := clientgo.InformerFor(exampleFactory, &Foo{}, clientgo.InformerOptions{}); err != nil {
		return err
	}

	controller, err := NewController(client, events,
		kubeFactory.Apps().V1().Deployments(), exampleFactory.Samplecontroller().V1alpha1().Foos())
	if err != nil {
		return err
	}
	kubeFactory.StartWithContext(ctx)
	exampleFactory.StartWithContext(ctx)
	controller.Run(ctx)
	return nil
}

// TestController runs the controller before and after the switch.
func TestController(t *testing.T) {
	for name, run := range map[string]func(
		context.Context, kubernetes.Interface, clientset.Interface, record.EventRecorder) error{
		"before": runBefore, "after": runAfter,
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			foo := &samplev1alpha1.Foo{
				ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a", UID: "uid-of-a"},
				Spec:       samplev1alpha1.FooSpec{DeploymentName: "web"},
			}
			client, events := kubefake.NewClientset(), record.NewFakeRecorder(10)
			ended := make(chan error, 1)
			go func() { ended <- run(ctx, client, samplefake.NewClientset(foo), events) }()
			for range 2 { // the controller creates the Deployment, and again after somebody deletes it
				select {
				case event := <-events.Events:
					if event != "Normal Created web" {
						t.Errorf("event %q", event)
					}
				case <-ctx.Done():
					t.Fatal("no Deployment was created")
				}
				web, err := client.AppsV1().Deployments("ns").Get(ctx, "web", metav1.GetOptions{})
				if err != nil || !metav1.IsControlledBy(web, foo) {
					t.Fatalf("%v, %v", web, err)
				}
				if err := client.AppsV1().Deployments("ns").Delete(ctx, "web", metav1.DeleteOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}
