// Package fixes has writes whose mend is safe, and some whose is not.
package fixes

import (
	corev1 "k8s.io/api/core/v1"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

var (
	_    cache.Store
	_    corev1.Pod
	pods listers.PodNamespaceLister
)

func update(pod *corev1.Pod) error { return nil }

func same(pod *corev1.Pod) *corev1.Pod { return pod }

func sole() error {
	found, err := pods.Get("a")
	if err != nil {
		return err
	}
	found.Spec.NodeName = "n" // want `copy it first: found = found.DeepCopy\(\)$`
	found.Name = "b"          // want `copy it first: found = found.DeepCopy\(\)$`
	return update(found)
}

func nested() error {
	found, err := pods.Get("a")
	if found.Spec.NodeName == "" {
		found.Spec.NodeName = "n" // want `copy it first: found = found.DeepCopy\(\)$`
	}
	found.Name = "b" // want `copy it first: found = found.DeepCopy\(\)$`
	return err
}

func twoNames() *corev1.Pod {
	pod, _ := pods.Get("a")
	other := pod
	pod.Name = "b" // want `copy it first: pod = pod.DeepCopy\(\)$`
	return other
}

func part() {
	pod, _ := pods.Get("a")
	labels := pod.Labels
	pod.Labels["a"] = "b" // want `copy it first: pod = pod.DeepCopy\(\)$`
	labels["c"] = "d"     // want `copy it first$`
}

func element() []*corev1.Pod {
	all, _ := pods.List(nil)
	for _, pod := range all {
		pod.Name = "b" // want `copy it first: pod = pod.DeepCopy\(\)$`
	}
	return all
}

func parameter(pod *corev1.Pod) {
	obj, _ := pods.Get("a")
	again := same(obj)
	again.Name = "b" // want `copy it first: again = again.DeepCopy\(\)$`
}

func captured() func() {
	pod, _ := pods.Get("a")
	return func() {
		pod.Name = "b" // want `copy it first: pod = pod.DeepCopy\(\)$`
	}
}

func key(pod *corev1.Pod) {
	all, _ := pods.List(nil)
	for i := range all {
		all[i].Labels[pod.Name] = "b" // want `copy it first$`
	}
}

func own(owner, pod *corev1.Pod) bool {
	pod.Labels[owner.Name] = "b"
	return true
}

func argument(owner *corev1.Pod) {
	all, _ := pods.List(nil)
	own(owner, all[0]) // want `copy it first$`
	pod := all[0]
	own(owner, pod) // want `copy it first: pod = pod.DeepCopy\(\)$`
}

func parts() {
	pod, _ := pods.Get("a")
	spec, meta := &pod.Spec, &pod.ObjectMeta
	spec.NodeName = "n" // want `copy it first$`
	meta.Name = "b"     // want `copy it first$`
}

func scope(owner *corev1.Pod) {
	if pod, err := pods.Get("a"); err == nil && own(owner, pod) { // want `copy it first: pod = pod.DeepCopy\(\)$`
		return
	}
}

func later() *corev1.Pod {
	other, _ := pods.Get("b")
	pod, _ := pods.Get("a")
	pod = other
	pod.Name = "x" // want `copy it first: pod = pod.DeepCopy\(\)$`
	return other
}

func twice(owner *corev1.Pod) bool {
	pod, err := pods.Get("a")
	if err != nil {
		return false
	}
	if own(owner, pod) || own(pod, owner) || own(owner, pod) { // want `= pod.DeepCopy` `= pod.DeepCopy`
		return true
	}
	return false
}
