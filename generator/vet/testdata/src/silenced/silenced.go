// Package silenced has comments that silence the analyzer on a line.
package silenced

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

func written() {
	pod, _ := pods.Get("a")
	pod.Name = "a" //nolint:cachemutation // the only reader
	pod.Name = "b" //nolint
	pod.Name = "c" //nolint:errcheck,cachemutation
	pod.Name = "d" //vet:ignore cachemutation the only reader
	pod.Name = "e" //nolint:errcheck // want `writes [^,]*\.Name`
	pod.Name = "f" //vet:ignore tombstone // want `writes [^,]*\.Name`
}
