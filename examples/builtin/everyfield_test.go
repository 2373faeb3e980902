// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package builtin_test

import (
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/indexer-gen/indexer-gen/examples/builtin"
)

// unset are the fields that the Pod cannot have, by the reason.
var unset = map[string][]string{
	"not allowed in ephemeral containers": {
		"EphemeralContainerCommon.Lifecycle", "EphemeralContainerCommon.LivenessProbe", "EphemeralContainerCommon.Ports",
		"EphemeralContainerCommon.ReadinessProbe", "EphemeralContainerCommon.ResizePolicy", "EphemeralContainerCommon.Resources",
		"EphemeralContainerCommon.RestartPolicy", "EphemeralContainerCommon.RestartPolicyRules", "EphemeralContainerCommon.StartupProbe",
	},
	"excluded by hostIPC, hostPID, nodeName, the operating system or another field": {
		"PodSecurityContext.Sysctls", "PodSecurityContext.WindowsOptions", "PodSpec.HostnameOverride", "PodSpec.SchedulingGates",
		"PodSpec.ShareProcessNamespace", "PodStatus.NominatedNodeName", "SecurityContext.WindowsOptions", "TypedObjectReference.Namespace",
	},
	"dropped by a feature gate that is off by default": {
		"ConfigMapVolumeSource.DefaultUser", "Container.RestartPolicyRules", "DownwardAPIVolumeFile.User", "DownwardAPIVolumeSource.DefaultUser",
		"EmptyDirVolumeSource.Mode", "EnvVarSource.FileKeyRef", "GRPCAction.Mode", "HTTPGetAction.Protocol", "KeyToPath.User",
		"Lifecycle.StopSignal", "PodSpec.EvictionResponders", "PodSpec.SchedulingGroup", "PodStatus.ExtendedResourceClaimStatus",
		"PodStatus.NodeAllocatableResourceClaimStatuses", "PodStatus.VolumeHealth", "ProjectedVolumeSource.DefaultUser",
		"SecretVolumeSource.DefaultUser", "ServiceAccountTokenProjection.User", "VolumeMount.BindMountOptions",
		"VolumeMountStatus.VolumeStatus", "VolumeProjection.ClusterTrustBundle", "VolumeProjection.PodCertificate",
	},
	"left out by clients": {"Pod.TypeMeta"},
}

// testEveryField compares a Pod in the cache with what client-go gets.
func testEveryField(t *testing.T, c kubeCluster) {
	data, err := os.ReadFile("testdata/pod.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var full struct {
		corev1.Pod          `json:",inline"`
		EphemeralContainers []corev1.EphemeralContainer // which are added later
	}
	if err := yaml.UnmarshalStrict(data, &full); err != nil {
		t.Fatal(err)
	}
	// Admission sets fields from these.
	done[*nodev1.RuntimeClass](t)(c.clientset.NodeV1().RuntimeClasses().Create(t.Context(), &nodev1.RuntimeClass{
		ObjectMeta: metav1.ObjectMeta{Name: *full.Spec.RuntimeClassName}, Handler: "main",
		Overhead: &nodev1.Overhead{PodFixed: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("10m")}},
	}, metav1.CreateOptions{}))
	done[*schedulingv1.PriorityClass](t)(c.clientset.SchedulingV1().PriorityClasses().Create(t.Context(), &schedulingv1.PriorityClass{
		ObjectMeta: metav1.ObjectMeta{Name: full.Spec.PriorityClassName}, Value: 7,
	}, metav1.CreateOptions{}))
	c.over(t, c.Endpoint, func(t *testing.T, informers *builtin.Informers) {
		pods := informers.Pods().Lister()
		run(t, informers)
		ctx, ns, core := minute(t), c.namespace(t, "full"), c.clientset.CoreV1()
		got := done[*corev1.Pod](t)(core.Pods(ns).Create(ctx, &full.Pod, metav1.CreateOptions{}))
		got.Spec.EphemeralContainers = full.EphemeralContainers
		got = done[*corev1.Pod](t)(core.Pods(ns).UpdateEphemeralContainers(ctx, got.Name, got, metav1.UpdateOptions{}))
		got.Status = full.Status
		got = done[*corev1.Pod](t)(core.Pods(ns).UpdateStatus(ctx, got, metav1.UpdateOptions{}))
		grace := int64(60)
		if err := core.Pods(ns).Delete(ctx, got.Name, metav1.DeleteOptions{GracePeriodSeconds: &grace}); err != nil {
			t.Fatal(err)
		}
		got = done[*corev1.Pod](t)(core.Pods(ns).Get(ctx, got.Name, metav1.GetOptions{}))

		if err := pods.WaitFor(ctx, got.ResourceVersion); err != nil {
			t.Fatal(err)
		}
		cached := done[*corev1.Pod](t)(pods.GetCopy(ns, got.Name))
		cached.TypeMeta, got.TypeMeta = metav1.TypeMeta{}, metav1.TypeMeta{} // clients leave it out
		if !equality.Semantic.DeepEqual(cached, got) {
			t.Errorf("the cache has\n%v\nclient-go gets\n%v", cached, got)
		}

		fields := map[string]bool{}
		visit(reflect.ValueOf(*got), fields)
		known := slices.Concat(slices.Collect(maps.Values(unset))...)
		for _, field := range slices.Sorted(maps.Keys(fields)) {
			if !fields[field] && !slices.Contains(known, field) {
				t.Errorf("%s is not set: add it to testdata/pod.yaml, or say above why not", field)
			}
		}
	})
}

// visit notes for each field of k8s.io/api below v, by its type, whether it is
// set anywhere.
func visit(v reflect.Value, fields map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			visit(v.Elem(), fields)
		}
	case reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i), fields)
		}
	case reflect.Struct:
		if !strings.HasPrefix(v.Type().PkgPath(), "k8s.io/api/") {
			return
		}
		for i := range v.NumField() {
			name := v.Type().Name() + "." + v.Type().Field(i).Name
			fields[name] = fields[name] || !v.Field(i).IsZero()
			visit(v.Field(i), fields)
		}
	}
}
