// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package samplecontroller

import (
	"context"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	appsinformers "k8s.io/client-go/informers/apps/v1"
	"k8s.io/client-go/kubernetes"
	appslisters "k8s.io/client-go/listers/apps/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/workqueue"
	samplev1alpha1 "k8s.io/sample-controller/pkg/apis/samplecontroller/v1alpha1"
	sampleinformers "k8s.io/sample-controller/pkg/generated/informers/externalversions/samplecontroller/v1alpha1"
	samplelisters "k8s.io/sample-controller/pkg/generated/listers/samplecontroller/v1alpha1"
)

// Controller creates the Deployment of each Foo. Like sample-controller it is written for client-go: it does
// not know which informers the factories have.
type Controller struct {
	client      kubernetes.Interface
	recorder    record.EventRecorder
	foos        samplelisters.FooLister
	deployments appslisters.DeploymentLister
	synced      []cache.InformerSynced
	queue       workqueue.TypedRateLimitingInterface[cache.ObjectName]
}

// NewController returns a controller that reads from the informers.
func NewController(
	client kubernetes.Interface, recorder record.EventRecorder,
	deployments appsinformers.DeploymentInformer, foos sampleinformers.FooInformer,
) (*Controller, error) {
	c := &Controller{
		client: client, recorder: recorder, foos: foos.Lister(), deployments: deployments.Lister(),
		synced: []cache.InformerSynced{foos.Informer().HasSynced, deployments.Informer().HasSynced},
		queue: workqueue.NewTypedRateLimitingQueue(
			workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName]()),
	}
	_, err := foos.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: c.enqueue, UpdateFunc: func(_, obj any) { c.enqueue(obj) },
	})
	if err != nil {
		return nil, err
	}
	_, err = deployments.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, obj any) { c.enqueueOwner(obj) }, DeleteFunc: c.enqueueOwner,
	})
	return c, err
}

func (c *Controller) enqueue(obj any) {
	if key, err := cache.ObjectToName(obj); err == nil {
		c.queue.Add(key)
	}
}

func (c *Controller) enqueueOwner(obj any) {
	if unknown, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = unknown.Obj
	}
	deployment, ok := obj.(*appsv1.Deployment)
	if !ok {
		return
	}
	if owner := metav1.GetControllerOf(deployment); owner != nil && owner.Kind == "Foo" {
		c.queue.Add(cache.NewObjectName(deployment.Namespace, owner.Name))
	}
}

// Run reconciles Foos until ctx ends.
func (c *Controller) Run(ctx context.Context) {
	defer context.AfterFunc(ctx, c.queue.ShutDown)()
	if !cache.WaitForCacheSync(ctx.Done(), c.synced...) {
		return
	}
	for {
		key, shutdown := c.queue.Get()
		if shutdown {
			return
		}
		if err := c.reconcile(ctx, key); err != nil {
			utilruntime.HandleErrorWithContext(ctx, err, "A Foo was not reconciled", "foo", key)
			c.queue.AddRateLimited(key)
		} else {
			c.queue.Forget(key)
		}
		c.queue.Done(key)
	}
}

func (c *Controller) reconcile(ctx context.Context, key cache.ObjectName) error {
	foo, err := c.foos.Foos(key.Namespace).Get(key.Name)
	if apierrors.IsNotFound(err) {
		return nil
	} else if err != nil {
		return err
	}
	_, err = c.deployments.Deployments(foo.Namespace).Get(foo.Spec.DeploymentName)
	if !apierrors.IsNotFound(err) {
		return err
	}
	deployment := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: foo.Namespace, Name: foo.Spec.DeploymentName,
			OwnerReferences: []metav1.OwnerReference{
				*metav1.NewControllerRef(foo, samplev1alpha1.SchemeGroupVersion.WithKind("Foo")),
			},
		},
		Spec: appsv1.DeploymentSpec{Replicas: foo.Spec.Replicas},
	}
	_, err = c.client.AppsV1().Deployments(foo.Namespace).Create(ctx, deployment, metav1.CreateOptions{})
	if err == nil {
		c.recorder.Event(foo, corev1.EventTypeNormal, "Created", deployment.Name)
	}
	return err
}
