// Package closures has objects in the variables of function literals.
package closures

import (
	"iter"

	corev1 "k8s.io/api/core/v1"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

var (
	_    cache.Store
	pods listers.PodNamespaceLister
)

func retry(f func() error) error { return f() }

func inside() error {
	return retry(func() error {
		pod, err := pods.Get("a")
		pod.Name = "b" // want `writes [^,]*\.Name`
		pod = pod.DeepCopy()
		pod.Name = "b"
		return err
	})
}

func captured() {
	pod, _ := pods.Get("a")
	_ = retry(func() error {
		pod.Name = "b" // want `writes [^,]*\.Name`
		return nil
	})
	pod = pod.DeepCopy()
	_ = retry(func() (err error) {
		pod.Name = "b" // a second attempt writes what the first read // want `writes [^,]*\.Name`
		pod, err = pods.Get("a")
		return err
	})
	pod.Name = "c" // want `writes [^,]*\.Name`
}

func copied() {
	pod, _ := pods.Get("a")
	pod = pod.DeepCopy()
	_ = retry(func() error {
		pod.Name = "b"
		return nil
	})
}

type sequenceLister interface {
	All() iter.Seq[*corev1.Pod]
	Sizes() iter.Seq2[string, int]
}

func ranged(l sequenceLister) {
	for pod := range l.All() {
		pod.Name = "b" // want `sequenceLister.All .*, writes [^,]*\.Name`
		pod = pod.DeepCopy()
		pod.Name = "b"
	}
}

func called() {
	pod, _ := pods.Get("a")
	name := func(p *corev1.Pod) { p.Name = "b" } // want `writes [^,]*\.Name`
	name(pod)
	name(&corev1.Pod{})
}

func each[T any](all []T, visit func(T)) {
	for i := range all {
		func() { visit(all[i]) }()
	}
}

func visited() {
	all, _ := pods.List(nil)
	each(all, func(pod *corev1.Pod) {
		pod.Name = "b" // want `PodNamespaceLister.List .*, writes [^,]*\.Name`
	})
	each(all, func(pod *corev1.Pod) { pod.DeepCopy().Name = "b" })
	var names []*corev1.Pod
	each(all, func(pod *corev1.Pod) { names = append(names, pod) })
	names[0].Name = "b" // want `writes [^,]*\.Name`
}

func sequence(yield func(*corev1.Pod) bool) {
	pod, _ := pods.Get("a")
	yield(pod)
}

func rangedOwn() {
	for pod := range sequence {
		pod.Name = "b" // want `writes [^,]*\.Name`
	}
}

func queued[T any](all []T, visit func(T) error) error {
	queue := make(chan T, len(all))
	for _, one := range all {
		queue <- one
	}
	return retry(func() error {
		one := <-queue
		return visit(one)
	})
}

func visitedLater() {
	all, _ := pods.List(nil)
	queued(all, func(pod *corev1.Pod) error {
		pod.Name = "b" // want `PodNamespaceLister.List .*, writes [^,]*\.Name`
		return nil
	})
}
