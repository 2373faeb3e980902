// Package copies has copies that are deep enough for what is written, and some that are not.
package copies

import (
	corev1 "k8s.io/api/core/v1"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

var (
	_    cache.Store
	pods listers.PodNamespaceLister
)

func structs() {
	pod, _ := pods.Get("a")
	c := *pod
	c.Name = "b"
	c.Spec.NodeName = "n"
	c.Labels["a"] = "b"      // want `writes [^,]*\.Labels\[`
	c.Spec.Security.User = 1 // want `writes [^,]*\.User`
	c.Labels = map[string]string{}
	c.Labels["a"] = "b"
	c.Spec = *pod.Spec.DeepCopy()
	c.Spec.Security.User = 2
}

func passed() {
	pod, _ := pods.Get("a")
	c := *pod
	annotate(&c) // want `passed to copies.annotate .*, passed to copies.label`
	c.Labels = map[string]string{}
	label(&c)
	label(pod) // want `passed to copies.label`
	c = *pod
	label(&c) // want `passed to copies.label`
}

func label(p *corev1.Pod) { p.Labels["a"] = "b" }

func annotate(p *corev1.Pod) { label(p) }

func made() {
	pod, _ := pods.Get("a")
	other := &corev1.Pod{ObjectMeta: pod.ObjectMeta, Spec: corev1.PodSpec{Security: &corev1.Security{}}}
	other.Name = "b"
	other.Spec.Security.User = 1
	other.Finalizers[0] = "f" // want `writes [^,]*\.Finalizers\[`
}

func replaced() {
	all, _ := pods.List(nil)
	for i := range all {
		all[i] = all[i].DeepCopy()
	}
	for _, pod := range all {
		pod.Name = "b"
	}
	late, _ := pods.List(nil)
	for i := range late {
		late[i].Name = "b" // want `writes [^,]*\.Name`
		late[i] = late[i].DeepCopy()
		late[i].Name = "b"
	}
}

func refilled() {
	all, _ := pods.List(nil)
	copies := all[:0]
	for _, pod := range all {
		copies = append(copies, pod.DeepCopy())
	}
	for _, pod := range copies {
		pod.Name = "b"
	}
	kept := all[:0]
	for _, pod := range all {
		kept = append(kept, pod)
	}
	kept[0].Name = "b" // want `writes [^,]*\.Name`
	first := all[:1]
	first = append(first, all[0].DeepCopy())
	first[0].Name = "b" // want `writes [^,]*\.Name`
	pod, _ := pods.Get("a")
	_ = append(pod.Spec.Containers[:0], corev1.Container{}) // want `overwrites by appending`
}

type holder struct{ pod *corev1.Pod }

func held(h *holder) {
	h.pod, _ = pods.Get("a")
	h.pod.Name = "b" // want `writes [^,]*\.Name`
	h.pod = h.pod.DeepCopy()
	h.pod.Name = "b"
}

func slices() {
	pod, _ := pods.Get("a")
	containers := append([]corev1.Container(nil), pod.Spec.Containers...)
	containers[0].Image = "i"
	containers[0].Env["a"] = "b" // want `writes [^,]*\.Env\[`
}

func times() {
	pod, _ := pods.Get("a")
	t := pod.CreationTimestamp
	_ = &t
	started := *pod.Status.Started
	pod2 := &corev1.Pod{}
	pod2.Status.Started = &started
}

func branches(n int) {
	pod, _ := pods.Get("a")
	c := pod.DeepCopy()
	if n > 0 {
		c.Labels["a"] = "b"
	} else {
		c.Labels = pod.Labels
	}
}

func unlessNil() {
	pod, _ := pods.Get("a")
	if pod != nil {
		pod = pod.DeepCopy()
	}
	pod.Name = "b"
}

func elements(k string) {
	all, _ := pods.List(nil)
	all[0] = all[0].DeepCopy()
	all[0].Name = "b"
	all[1].Name = "b" // want `writes`
	m := map[string]*corev1.Pod{}
	for _, pod := range all {
		m[pod.Name] = pod
	}
	m[k] = m[k].DeepCopy()
	m[k].Name = "b"
	m["a"].Name = "b" // want `writes`
	if pod, ok := m[k]; ok {
		pod.Name = "b"
	}
	if pod, ok := m["a"]; ok {
		pod.Name = "b" // want `writes`
	}
	for k := range m {
		m[k] = m[k].DeepCopy()
		m[k].Name = "b"
	}
}
