// Package typeddeletes has typed handlers of deletions, whose object may be nil.
package typeddeletes

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

func handle(name string, pod *corev1.Pod) {}

var uses = cache.TypedResourceEventHandlerFuncs[*corev1.Pod]{
	DeleteFunc: func(deleted cache.DeletedObject[*corev1.Pod]) {
		handle(deleted.OptionalObj.Name, nil) // want `OptionalObj is nil if the cache did not have the object`
	},
}

var compares = cache.TypedResourceEventHandlerFuncs[*corev1.Pod]{
	DeleteFunc: func(deleted cache.DeletedObject[*corev1.Pod]) {
		if deleted.OptionalObj != nil {
			handle(deleted.OptionalObj.Name, nil)
		}
		if deleted.FinalStateUnknown == nil {
			handle(deleted.OptionalObj.Name, nil)
		}
		pod := deleted.OptionalObj
		if pod == nil {
			handle(pod.Name, pod) // want `OptionalObj is nil`
			return
		}
		handle(pod.Name, pod)
	},
}
