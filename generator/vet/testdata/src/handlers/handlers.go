// Package handlers has functions that informers and controllers call.
package handlers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

type controller struct{}

func (c *controller) add(obj any) {
	pod := obj.(*corev1.Pod)
	pod.Name = "b" // want `argument of AddFunc \(handlers/handlers.go:17\), writes [^,]*\.Name`
}

func (c *controller) register(informer cache.SharedInformer) {
	informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: c.add,
		UpdateFunc: func(old, new any) {
			new.(*corev1.Pod).Name = "b" // want `argument of UpdateFunc`
			old.(*corev1.Pod).DeepCopy().Name = "b"
		},
		DeleteFunc: func(obj any) {
			if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
				obj = tombstone.Obj
			}
			obj.(*corev1.Pod).Name = "b" // want `argument of DeleteFunc`
		},
	})
}

type methods struct{}

func (methods) OnAdd(obj any, isInInitialList bool) { obj.(*corev1.Pod).Name = "b" } // want `argument of OnAdd`
func (methods) OnUpdate(old, new any)               {}
func (methods) OnDelete(obj any)                    {}

var typed = cache.TypedResourceEventHandlerFuncs[*corev1.Pod]{
	AddFunc:    func(pod *corev1.Pod) { pod.Name = "b" },                                  // want `argument of AddFunc`
	DeleteFunc: func(pod cache.DeletedObject[*corev1.Pod]) { pod.OptionalObj.Name = "b" }, // want `argument of DeletedObject`
}

func notAHandler(obj any) { obj.(*corev1.Pod).Name = "b" }

var funcs = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		e.ObjectNew.SetName("b") // want `argument of UpdateEvent .*, passed to v1.Object.SetName`
		return true
	},
	GenericFunc: func(e event.GenericEvent) bool {
		e.Object.SetName("b") // made by the program itself
		return true
	},
}

func (c *controller) mapped(ctx context.Context, object client.Object) []handler.Request {
	object.SetName("b") // want `argument of MapFunc`
	return nil
}

func (c *controller) setup() {
	handler.EnqueueRequestsFromMapFunc(c.mapped)
	predicate.NewPredicateFuncs(func(object client.Object) bool {
		object.GetLabels()["a"] = "b" // want `argument of predicate`
		return true
	})
}
