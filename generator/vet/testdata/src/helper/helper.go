// Package helper has functions that others call with objects of caches.
package helper

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	listers "k8s.io/client-go/listers/core/v1"
)

func Label(object metav1.Object) {
	labels := object.GetLabels()
	if labels == nil {
		labels = map[string]string{}
	}
	labels["a"] = "b"
	object.SetLabels(labels)
}

func LabelCopy(pod *corev1.Pod) *corev1.Pod {
	pod = pod.DeepCopy()
	Label(pod)
	return pod
}

func Same(object any) (*corev1.Pod, error) {
	switch o := object.(type) {
	case *corev1.Pod:
		return o, nil
	}
	return nil, nil
}

func First(pods listers.PodNamespaceLister) *corev1.Pod {
	all, _ := pods.List(nil)
	if len(all) == 0 {
		return nil
	}
	return all[0]
}

func Containers(pod *corev1.Pod) []corev1.Container { return pod.Spec.Containers }

type Group struct{ Ready, Other []*corev1.Pod }

func (g *Group) Add(pod *corev1.Pod) { g.Ready = append(g.Ready, pod) }

func Grouped(pods listers.PodNamespaceLister) (Group, error) {
	var g Group
	all, err := pods.List(nil)
	for _, pod := range all {
		g.Ready = append(g.Ready, pod)
		g.Other = append(g.Other, pod.DeepCopy())
	}
	return g, err
}

func With(labels map[string]string, key string) map[string]string {
	if key == "" {
		return labels
	}
	added := map[string]string{key: ""}
	for k, v := range labels {
		added[k] = v
	}
	return added
}
