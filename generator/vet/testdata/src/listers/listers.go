// Package listers has reads of listers and stores.
package listers

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

type controller struct {
	pods    listers.PodLister
	indexer cache.Indexer
}

func (c *controller) get() error {
	pod, err := c.pods.Pods("a").Get("b")
	if err != nil {
		return err
	}
	pod.Spec.NodeName = "n" // want `PodNamespaceLister.Get \(listers/listers.go:17\), writes [^,]*\.NodeName \(listers/listers.go:21\); copy it first`
	pod = pod.DeepCopy()
	pod.Spec.NodeName = "n"
	return nil
}

func (c *controller) list() {
	pods, _ := c.pods.List(labels.Everything())
	pods[0] = nil // the slice is the caller's
	pods = append(pods[:1], pods[2:]...)
	for _, pod := range pods {
		pod.Labels["a"] = "b" // want `PodLister.List .*, writes [^,]*\.Labels\[`
	}
}

func (c *controller) store() {
	obj, _, _ := c.indexer.GetByKey("a/b")
	pod := obj.(*corev1.Pod)
	pod.Status.Phase = "Running" // want `Store.GetByKey .*, writes [^,]*\.Phase`
	for _, obj := range c.indexer.List() {
		if pod, ok := obj.(*corev1.Pod); ok {
			pod.Status.Phase = "Running" // want `Store.List .*, writes [^,]*\.Phase`
		}
	}
}

// entry is what a program keeps in a store of its own.
type entry struct{ count int }

func (c *controller) ownStore() {
	obj, _, _ := c.indexer.GetByKey("a/b")
	obj.(*entry).count++
}

// podLister has the name of a lister and makes its objects.
type podLister struct{}

func (podLister) Get() *corev1.Pod { return &corev1.Pod{} }

func made(l podLister) { l.Get().Spec.NodeName = "n" }
