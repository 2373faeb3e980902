// Package runtimeclient reads and writes with a client of controller-runtime.
package runtimeclient

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

var (
	_    cache.Store
	pods listers.PodNamespaceLister
)

type reconciler struct{ client.Client }

func (r *reconciler) copies(ctx context.Context) {
	var pod corev1.Pod
	_ = r.Get(ctx, client.ObjectKey{}, &pod)
	pod.Labels["a"] = "b"
	var list corev1.PodList
	_ = r.List(ctx, &list, client.InNamespace("a"))
	for i := range list.Items {
		list.Items[i].Labels["a"] = "b"
	}
}

func (r *reconciler) shared(ctx context.Context) {
	list := &corev1.PodList{}
	_ = r.List(ctx, list, client.InNamespace("a"), client.UnsafeDisableDeepCopy)
	for i := range list.Items {
		pod := &list.Items[i]
		pod.Name = "b" // the struct is a copy
		label(pod)     // want `Reader.List with UnsafeDisableDeepCopy .*, passed to runtimeclient.label`
		_ = r.Update(ctx, pod)
		label(pod.DeepCopy())
	}
}

func (r *reconciler) option(ctx context.Context) {
	list, yes := &corev1.PodList{}, true
	_ = r.List(ctx, list, &client.ListOptions{UnsafeDisableDeepCopy: &yes})
	list.Items[0].Labels["a"] = "b" // want `UnsafeDisableDeepCopy`
}

func (r *reconciler) copied(ctx context.Context) {
	list := &corev1.PodList{}
	_ = r.List(ctx, list, &client.ListOptions{UnsafeDisableDeepCopy: pointer(false)})
	list.Items[0].Labels["a"] = "b"
}

func pointer[T any](v T) *T { return &v }

func label(object client.Object) { object.GetLabels()["a"] = "b" }

func (r *reconciler) writes(ctx context.Context) {
	pod, _ := pods.Get("a")
	_ = r.Update(ctx, pod)                // want `passed to client.Writer.Update`
	_ = r.Status().Update(ctx, pod)       // want `passed to client.StatusWriter.Update`
	controllerutil.AddFinalizer(pod, "f") // want `passed to controllerutil.AddFinalizer`
	_ = r.Delete(ctx, pod)
	_ = r.Update(ctx, pod.DeepCopy())
}
