// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package foreign

import (
	"iter"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// Any typed client of the foreign type serves as a source.
var _ = func(pods typedcorev1.PodInterface, volumes typedcorev1.PersistentVolumeInterface) (source.ListerWatcher[*corev1.Pod], source.ListerWatcher[*corev1.PersistentVolume]) {
	return NewPodSource(pods), NewVolumeSource(volumes)
}

func named(seq iter.Seq[*corev1.Pod]) []string {
	var out []string
	for p := range seq {
		out = append(out, p.Name)
	}
	return out
}

// want compares the answer of a query that has an order, or one object at most.
func want(t *testing.T, query string, got iter.Seq[*corev1.Pod], wanted ...string) {
	t.Helper()
	if names := named(got); !slices.Equal(names, wanted) {
		t.Errorf("%s yields %v, want %v", query, names, wanted)
	}
}

// wantSet compares the answer of a query that has none.
func wantSet(t *testing.T, query string, got iter.Seq[*corev1.Pod], wanted ...string) {
	t.Helper()
	names := named(got)
	slices.Sort(names)
	if !slices.Equal(names, wanted) {
		t.Errorf("%s yields %v, want %v", query, names, wanted)
	}
}

// TestResources finds how a type is served where it is declared, unless the alias
// says so.
func TestResources(t *testing.T) {
	for got, want := range map[schema.GroupVersionResource]schema.GroupVersionResource{
		PodsResource:           {Version: "v1", Resource: "pods"},
		VolumesResource:        {Version: "v1", Resource: "persistentvolumes"},
		StorageClassesResource: {Group: "storage.k8s.io", Version: "v1", Resource: "storageclasses"},
		MetaResource:           {Group: "foreign.example.com", Version: "v1beta2", Resource: "gadgets"},
	} {
		if got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

func TestPods(t *testing.T) {
	started := metav1.NewTime(time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC))
	earlier := metav1.NewTime(started.Add(-time.Hour))
	isController := true
	pods := NewPodIndexer()
	pods.Set(&corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "ns", Name: "web", Labels: map[string]string{"app": "web"},
			OwnerReferences: []metav1.OwnerReference{{UID: "rs", Controller: &isController}, {UID: "other"}},
		},
		Spec: corev1.PodSpec{
			NodeName: "n1", NodeSelector: map[string]string{corev1.LabelTopologyZone: "z"},
			Containers: []corev1.Container{
				{
					Image: "nginx", Ports: []corev1.ContainerPort{{ContainerPort: 80, Protocol: "TCP"}, {ContainerPort: 53, Protocol: "UDP"}},
					Resources: corev1.ResourceRequirements{
						Requests: corev1.ResourceList{"cpu": resource.MustParse("500m")},
					},
				},
				{Image: "sidecar"},
			},
			Volumes: []corev1.Volume{
				{
					VolumeSource: corev1.VolumeSource{
						PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"},
					},
				},
				{VolumeSource: corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: "tls"}}},
			},
		},
		Status: corev1.PodStatus{
			Phase: corev1.PodRunning, StartTime: &started, PodIPs: []corev1.PodIP{{IP: "10.0.0.1"}, {IP: "fd00::1"}},
			Conditions:        []corev1.PodCondition{{Type: "Ready", Status: "True"}},
			ContainerStatuses: []corev1.ContainerStatus{{RestartCount: 3}, {RestartCount: 1}},
		},
	})
	pods.Set(&Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "batch"},
		Spec:       corev1.PodSpec{NodeName: "n1"},
		Status:     corev1.PodStatus{Phase: corev1.PodPending, StartTime: &earlier},
	})
	wantSet(t, "ByNode", pods.ByNode("n1"), "batch", "web")
	want(t, "ByNodePhase", pods.ByNodePhase("n1", corev1.PodRunning), "web")
	if p, ok := pods.ByIP("fd00::1"); !ok || p.Name != "web" {
		t.Errorf("ByIP returns %v, %v", p, ok)
	}
	want(t, "ByReady", pods.ByReady(corev1.ConditionTrue), "web")
	want(t, "ByStartedFrom", pods.ByStartedFrom(earlier.Time), "batch", "web")
	want(t, "ByStartedRange", pods.ByStartedRange(earlier.Time, started.Time), "batch")
	want(t, "ByImage", pods.ByImage("sidecar"), "web")
	want(t, "ByCPU", pods.ByCPU(resource.MustParse("0.5")), "web")
	want(t, "ByCPUFrom", pods.ByCPUFrom(resource.MustParse("1")))
	want(t, "ByPort", pods.ByPort(53, corev1.ProtocolUDP), "web")
	want(t, "ByPort of another protocol", pods.ByPort(53, corev1.ProtocolTCP))
	want(t, "ByClaim", pods.ByClaim(types.NamespacedName{Namespace: "ns", Name: "data"}), "web")
	want(t, "BySecret", pods.BySecret(types.NamespacedName{Namespace: "ns", Name: "tls"}), "web")
	want(t, "ByLabel", pods.ByLabel("app", "web"), "web")
	want(t, "List", pods.List(labels.SelectorFromSet(labels.Set{"app": "web"})), "web")
	want(t, "ByOwner", pods.ByOwner("other"), "web")
	want(t, "ByController", pods.ByController("rs"), "web")
	want(t, "ByController of an owner", pods.ByController("other"))
	want(t, "ByRestartsFrom", pods.ByRestartsFrom(0), "batch", "web")
	want(t, "ByZone", pods.ByZone("z"), "web")
}

func TestOthers(t *testing.T) {
	volumes := NewVolumeIndexer()
	for name, size := range map[string]string{"small": "1Gi", "large": "2Ti"} {
		volumes.Set(&corev1.PersistentVolume{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: corev1.PersistentVolumeSpec{
				Capacity: corev1.ResourceList{"storage": resource.MustParse(size)},
				ClaimRef: &corev1.ObjectReference{Namespace: "ns", Name: "of-" + name},
			},
		})
	}
	if v, ok := volumes.ByClaim(types.NamespacedName{Namespace: "ns", Name: "of-large"}); !ok ||
		v.Name != "large" {
		t.Errorf("ByClaim returns %v, %v", v, ok)
	}
	if v, ok := volumes.MaxCapacity(); !ok || v.Name != "large" {
		t.Errorf("MaxCapacity returns %v, %v", v, ok)
	}
	if v, err := volumes.Get("small"); err != nil || v.Name != "small" {
		t.Errorf("Get returns %v, %v", v, err)
	}
	classes := NewStorageClassIndexer()
	classes.Set(&storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "fast"}, Provisioner: "csi"})
	for class := range classes.ByProvisioner("csi") {
		if class.Name != "fast" {
			t.Errorf("ByProvisioner yields %s", class.Name)
		}
	}
	metas := NewMetaIndexer()
	metas.Set(&Meta{ObjectMeta: metav1.ObjectMeta{Name: "m", Finalizers: []string{"a", "b"}}})
	if n := len(slices.Collect(metas.ByFinalizer("b"))); n != 1 {
		t.Errorf("ByFinalizer yields %d", n)
	}
}
