// Package calls has objects that pass through functions of this and another package.
package calls

import (
	corev1 "k8s.io/api/core/v1"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"

	"helper"
)

var (
	_    cache.Store
	pods listers.PodNamespaceLister
)

func written() {
	pod, _ := pods.Get("a")
	helper.Label(pod) // want `PodNamespaceLister.Get \(calls/calls.go:18\), passed to helper.Label \(calls/calls.go:19\), writes labels\["a"\] \(helper/helper.go:15\)`
	helper.LabelCopy(pod)
	pod = helper.LabelCopy(pod)
	helper.Label(pod)
}

func returned() {
	pod := helper.First(pods)
	pod.Name = "b" // want `PodNamespaceLister.List \(helper/helper.go:34\), returned by helper.First \(calls/calls.go:26\), writes [^,]*\.Name`
	obj, _ := pods.Get("a")
	same, _ := helper.Same(obj)
	same.Name = "b"                       // want `through helper.Same`
	helper.Containers(obj)[0].Image = "i" // want `through helper.Containers`
}

func far() {
	pod, _ := pods.Get("a")
	one(pod, 1) // want `passed to calls.one .*, passed to calls.two .*, writes [^,]*\.Phase`
	one(&corev1.Pod{}, 1)
}

func one(pod *corev1.Pod, n int) { two(&pod.Status, n) }

func two(status *corev1.PodStatus, n int) {
	if n > 0 {
		two(status, n-1)
	}
	status.Phase = "Running"
}

func groups() {
	g, _ := helper.Grouped(pods)
	for _, pod := range g.Other {
		pod.Name = "b"
	}
	for _, pod := range g.Ready {
		pod.Name = "b" // want `PodNamespaceLister.List .*, returned by helper.Grouped`
	}
	var own helper.Group
	pod, _ := pods.Get("a")
	own.Add(pod)
	own.Ready[0].Name = "b" // want `PodNamespaceLister.Get`
}

func unlessEmpty(key string) {
	pod, _ := pods.Get("a")
	helper.With(pod.Labels, "k")["a"] = "b"
	helper.With(pod.Labels, "")["a"] = "b"  // want `through helper.With`
	helper.With(pod.Labels, key)["a"] = "b" // want `through helper.With`
}
