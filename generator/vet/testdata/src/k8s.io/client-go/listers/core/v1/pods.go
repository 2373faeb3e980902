package v1

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/tools/cache"
)

type PodLister interface {
	List(selector labels.Selector) ([]*corev1.Pod, error)
	Pods(namespace string) PodNamespaceLister
}

type PodNamespaceLister interface {
	List(selector labels.Selector) ([]*corev1.Pod, error)
	Get(name string) (*corev1.Pod, error)
}

func NewPodLister(indexer cache.Indexer) PodLister { return nil }
