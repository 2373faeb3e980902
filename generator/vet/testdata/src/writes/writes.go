// Package writes has each kind of write, and reads beside them.
package writes

import (
	"encoding/json"
	"slices"
	"sort"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	listers "k8s.io/client-go/listers/core/v1"
	"k8s.io/client-go/tools/cache"
)

var (
	_    cache.Store
	pods listers.PodNamespaceLister
)

func fields() {
	pod, _ := pods.Get("a")
	pod.Name = "b"                     // want `writes [^,]*\.Name`
	pod.Spec.Security.User = 1         // want `writes [^,]*\.User`
	pod.Spec.Containers[0].Image = "i" // want `writes [^,]*\.Image`
	spec := &pod.Spec
	spec.NodeName = "n" // want `writes [^,]*\.NodeName`
	*pod = corev1.Pod{} // want `write to an object`
}

func maps() {
	pod, _ := pods.Get("a")
	pod.Labels["a"] = "b"   // want `writes [^,]*\.Labels\[`
	delete(pod.Labels, "a") // want `deletes from [^,]*\.Labels`
	clear(pod.Annotations)  // want `clears [^,]*\.Annotations`
	labels := pod.Labels
	if labels == nil {
		labels = map[string]string{}
	}
	labels["c"] = "d" // want `writes`
	fresh := map[string]string{}
	for k, v := range pod.Labels {
		fresh[k] = v
	}
	fresh["c"] = "d"
}

func appends() {
	pod, _ := pods.Get("a")
	pod.Finalizers = append(pod.Finalizers, "f") // want `writes [^,]*\.Finalizers`
	pod, _ = pods.Get("b")
	longer := append(pod.Finalizers, "f")
	longer[0] = "g"
	_ = append(pod.Finalizers[:1], pod.Finalizers[2:]...) // want `overwrites by appending to [^,]*\.Finalizers`
	_ = append(pod.Finalizers[:0:0], pod.Finalizers...)
	copy(pod.Finalizers, longer) // want `copies to [^,]*\.Finalizers`
	copy(longer, pod.Finalizers)
}

func sorts() {
	pod, _ := pods.Get("a")
	sort.Strings(pod.Finalizers)                                          // want `passed to sort.Strings`
	slices.Sort(pod.Finalizers)                                           // want `passed to slices.Sort`
	sort.Slice(pod.Spec.Containers, func(i, j int) bool { return i < j }) // want `passed to sort.Slice`
	_ = slices.Sorted(slices.Values(pod.Finalizers))
	sort.Strings(slices.Clone(pod.Finalizers))
	all, _ := pods.List(nil)
	sort.Slice(all, func(i, j int) bool { return all[i].Name < all[j].Name })
}

func setters() {
	pod, _ := pods.Get("a")
	pod.SetLabels(nil) // want `passed to v1.ObjectMeta.SetLabels`
	var object metav1.Object = pod
	object.SetLabels(nil)                                              // want `passed to v1.Object.SetLabels`
	object.GetLabels()["a"] = "b"                                      // want `writes object.GetLabels\(\)\[`
	pod.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{}) // want `passed to schema.ObjectKind.SetGroupVersionKind`
	_ = object.GetName()
}

func decoders(data []byte) {
	pod, _ := pods.Get("a")
	_ = json.Unmarshal(data, pod) // want `passed to json.Unmarshal`
	var other corev1.Pod
	_ = json.Unmarshal(data, &other)
	other.DeepCopyInto(pod) // want `passed to v1.Pod.DeepCopyInto`
	pod.DeepCopyInto(&other)
	other.Name = "b"
}
