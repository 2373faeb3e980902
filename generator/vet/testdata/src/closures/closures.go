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
		pod.Name = "b" // want `writes field Name`
		pod = pod.DeepCopy()
		pod.Name = "b"
		return err
	})
}

func captured() {
	pod, _ := pods.Get("a")
	_ = retry(func() error {
		pod.Name = "b" // want `writes field Name`
		return nil
	})
	pod = pod.DeepCopy()
	_ = retry(func() (err error) {
		pod.Name = "b" // a second attempt writes what the first read // want `writes field Name`
		pod, err = pods.Get("a")
		return err
	})
	pod.Name = "c" // want `writes field Name`
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
		pod.Name = "b" // want `sequenceLister.All .*, writes field Name`
		pod = pod.DeepCopy()
		pod.Name = "b"
	}
}

func called() {
	pod, _ := pods.Get("a")
	name := func(p *corev1.Pod) { p.Name = "b" } // want `writes field Name`
	name(pod)
	name(&corev1.Pod{})
}
