// Package tombstones has untyped handlers of deletions.
package tombstones

import (
	"fmt"
	"os"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
)

func handle(pod *corev1.Pod) {}

var asserts = cache.ResourceEventHandlerFuncs{
	AddFunc:    func(obj any) { handle(obj.(*corev1.Pod)) },
	DeleteFunc: func(obj any) { handle(obj.(*corev1.Pod)) }, // want `DeleteFunc panics if the watch missed the deletion`
}

var interfaces = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) { _ = obj.(metav1.Object).GetName() }, // want `DeleteFunc panics`
}

var unwraps = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) {
		if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
			obj = tombstone.Obj
		}
		handle(obj.(*corev1.Pod))
	},
}

var unwrapsLate = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) {
		pod := obj.(*corev1.Pod) // want `DeleteFunc panics`
		if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
			pod = tombstone.Obj.(*corev1.Pod)
		}
		handle(pod)
	},
}

var objectFirst = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) {
		pod, ok := obj.(*corev1.Pod)
		if !ok {
			tombstone, ok := obj.(cache.DeletedFinalStateUnknown)
			if !ok {
				return
			}
			if pod, ok = tombstone.Obj.(*corev1.Pod); !ok {
				return
			}
		}
		handle(pod)
	},
}

var switches = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) {
		switch o := obj.(type) {
		case *corev1.Pod:
			handle(o)
		case cache.DeletedFinalStateUnknown:
			handle(o.Obj.(*corev1.Pod))
		}
	},
}

var defaultPanics = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) {
		switch o := obj.(type) {
		case *corev1.Pod:
			handle(o)
		default:
			panic(fmt.Sprintf("unexpected %T", obj)) // want `DeleteFunc ends the program if the watch missed the deletion`
		}
	},
}

var assertedPanics = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) {
		pod, ok := obj.(*corev1.Pod)
		if !ok {
			panic(obj) // want `DeleteFunc ends the program if the watch missed the deletion`
		}
		handle(pod)
	},
}

var bothCases = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) {
		switch o := obj.(type) {
		case *corev1.Pod:
			handle(o)
		case cache.DeletedFinalStateUnknown:
		default:
			panic(obj)
		}
	},
}

var pointer = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) {
		if tombstone, ok := obj.(*cache.DeletedFinalStateUnknown); ok { // want `a pointer to it never comes`
			obj = tombstone.Obj
		}
		handle(obj.(*corev1.Pod))
	},
}

var ignores = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) {
		pod, ok := obj.(*corev1.Pod) // want `DeleteFunc ignores a deletion that the watch missed`
		if !ok {
			fmt.Println("unexpected", obj)
			return
		}
		handle(pod)
	},
}

var filters = cache.FilteringResourceEventHandler{
	FilterFunc: func(obj any) bool {
		pod, ok := obj.(*corev1.Pod)
		return ok && pod.Name == "a"
	},
}

var filterPanics = cache.FilteringResourceEventHandler{
	FilterFunc: func(obj any) bool { return obj.(*corev1.Pod).Name == "a" }, // want `FilterFunc panics`
}

var key = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) {
		key, _ := cache.DeletionHandlingMetaNamespaceKeyFunc(obj)
		if pod, ok := obj.(*corev1.Pod); ok {
			handle(pod)
		}
		fmt.Println(key)
	},
}

var usesNil = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) {
		pod, ok := obj.(*corev1.Pod)
		fmt.Println(pod.Name) // want `the object is nil if the watch missed the deletion`
		if !ok {
			tombstone, ok := obj.(cache.DeletedFinalStateUnknown)
			fmt.Println(tombstone, ok)
		}
	},
}

var discards = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) {
		pod, _ := obj.(*corev1.Pod)
		fmt.Println(pod.Name) // want `the object is nil`
	},
}

var checksNil = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) {
		pod, _ := obj.(*corev1.Pod)
		if pod == nil {
			pod = obj.(cache.DeletedFinalStateUnknown).Obj.(*corev1.Pod)
		}
		handle(pod)
	},
}

type controller struct{}

func (c *controller) register(informer cache.SharedInformer) {
	informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, obj any) { c.enqueueChanged(obj) },
		DeleteFunc: func(obj any) { c.enqueue(obj) },
	})
	informer.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: c.deletePod})
}

func (c *controller) enqueue(obj any) {
	handle(obj.(*corev1.Pod)) // want `DeleteFunc panics`
}

func (c *controller) enqueueChanged(obj any) { handle(obj.(*corev1.Pod)) }

func (c *controller) deletePod(obj any) {
	if tombstone, ok := obj.(cache.DeletedFinalStateUnknown); ok {
		obj = tombstone.Obj
	}
	c.enqueueChanged(obj)
}

type methods struct{}

func (methods) OnAdd(obj any, isInInitialList bool) { handle(obj.(*corev1.Pod)) }
func (methods) OnUpdate(old, new any)               { handle(new.(*corev1.Pod)) }
func (methods) OnDelete(obj any)                    { handle(obj.(*corev1.Pod)) } // want `OnDelete panics`

var silenced = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) { handle(obj.(*corev1.Pod)) }, //nolint:tombstone
}

func asPod(obj any) (*corev1.Pod, bool) {
	pod, ok := obj.(*corev1.Pod)
	return pod, ok
}

var helperTells = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) {
		pod, ok := asPod(obj)
		if !ok {
			pod = obj.(cache.DeletedFinalStateUnknown).Obj.(*corev1.Pod)
		}
		handle(pod)
	},
}

func isPod(obj any) bool {
	_, ok := obj.(*corev1.Pod) // want `DeleteFunc ignores`
	return ok
}

var nobodyAsks = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) {
		if !isPod(obj) {
			return
		}
		fmt.Println("deleted")
	},
}

type span struct{}

func (span) Exit() {}

var exits = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) {
		span{}.Exit()
		handle(obj.(*corev1.Pod)) // want `DeleteFunc panics`
	},
}

var ends = cache.ResourceEventHandlerFuncs{
	DeleteFunc: func(obj any) {
		if _, ok := obj.(*corev1.Pod); !ok {
			os.Exit(1) // want `DeleteFunc ends the program`
		}
		handle(obj.(*corev1.Pod))
	},
}

type queue struct{}

func (queue) OnAdd(obj any) error    { return nil }
func (queue) OnUpdate(obj any) error { return nil }
func (queue) OnDelete(obj any) error { handle(obj.(*corev1.Pod)); return nil }
