// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package builtin_test

import (
	"time"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// meta describes an object that is controlled by the owner of that UID, if any.
func meta(namespace, name string, owner types.UID, labels map[string]string) metav1.ObjectMeta {
	m := metav1.ObjectMeta{Namespace: namespace, Name: name, UID: types.UID(name), Labels: labels, CreationTimestamp: metav1.NewTime(noon)}
	if owner != "" {
		isController := true
		m.OwnerReferences = []metav1.OwnerReference{{APIVersion: "v1", Kind: "Owner", Name: "owner", UID: owner, Controller: &isController}, {UID: "bystander"}}
	}
	return m
}

// rich is a spec that refers to Secrets, ConfigMaps and claims in every way. Each
// reference is named for its place.
func rich() corev1.PodSpec {
	local := func(name string) corev1.LocalObjectReference { return corev1.LocalObjectReference{Name: name} }
	optional := func(name string) *corev1.LocalObjectReference { return &corev1.LocalObjectReference{Name: name} }
	volumes := []corev1.VolumeSource{
		{Secret: &corev1.SecretVolumeSource{SecretName: "volume"}},
		{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: local("volume")}},
		{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
			{Secret: &corev1.SecretProjection{LocalObjectReference: local("projected")}},
			{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: local("projected")}},
			{DownwardAPI: &corev1.DownwardAPIProjection{}},
		}}},
		{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}},
		{Ephemeral: &corev1.EphemeralVolumeSource{}},
		{AzureFile: &corev1.AzureFileVolumeSource{SecretName: "azurefile"}},
		{CSI: &corev1.CSIVolumeSource{NodePublishSecretRef: optional("csi")}},
		{CSI: &corev1.CSIVolumeSource{}},
		{CephFS: &corev1.CephFSVolumeSource{SecretRef: optional("cephfs")}},
		{FlexVolume: &corev1.FlexVolumeSource{SecretRef: optional("flex")}},
		{ISCSI: &corev1.ISCSIVolumeSource{SecretRef: optional("iscsi")}},
		{RBD: &corev1.RBDVolumeSource{SecretRef: optional("rbd")}},
		{ScaleIO: &corev1.ScaleIOVolumeSource{SecretRef: optional("scaleio")}},
		{StorageOS: &corev1.StorageOSVolumeSource{SecretRef: optional("storageos")}},
		{EmptyDir: &corev1.EmptyDirVolumeSource{}},
	}
	spec := corev1.PodSpec{
		ServiceAccountName: "runner",
		ImagePullSecrets:   []corev1.LocalObjectReference{local("pull"), local("")},
		InitContainers: []corev1.Container{{Name: "init", Image: "setup", EnvFrom: []corev1.EnvFromSource{
			{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: local("envfrom")}},
			{ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: local("envfrom")}},
		}}},
		Containers: []corev1.Container{{Name: "main", Image: "app:1", Env: []corev1.EnvVar{
			{Name: "A", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: local("env")}}},
			{Name: "B", ValueFrom: &corev1.EnvVarSource{ConfigMapKeyRef: &corev1.ConfigMapKeySelector{LocalObjectReference: local("env")}}},
			{Name: "C", Value: "plain"},
		}}},
		EphemeralContainers: []corev1.EphemeralContainer{{EphemeralContainerCommon: corev1.EphemeralContainerCommon{
			Name: "debug", Image: "shell", Env: []corev1.EnvVar{
				{Name: "A", ValueFrom: &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: local("debug")}}},
			},
		}}},
	}
	for i, source := range volumes {
		spec.Volumes = append(spec.Volumes, corev1.Volume{Name: "v" + string(rune('a'+i)), VolumeSource: source})
	}
	return spec
}

func ptr[T any](v T) *T { return &v }

// objects are one of each type, or two where a question must choose.
func objects() []runtime.Object {
	running := rich()
	running.NodeName = "node-1"
	template := corev1.PodTemplateSpec{Spec: rich()}
	app := map[string]string{"app": "web"}
	return append(network(), []runtime.Object{
		&corev1.Pod{
			ObjectMeta: meta("shop", "web-1", "rs", app), Spec: running,
			Status: corev1.PodStatus{
				Phase: corev1.PodRunning, PodIPs: []corev1.PodIP{{IP: "10.0.0.1"}, {IP: "fd00::1"}},
				Conditions: []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}},
			},
		},
		&corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "bank", Name: "waiting", CreationTimestamp: metav1.NewTime(noon.Add(-time.Hour))},
			Status:     corev1.PodStatus{Phase: corev1.PodPending, NominatedNodeName: "node-1"},
		},

		&appsv1.Deployment{ObjectMeta: meta("shop", "deployment", "app", app), Spec: appsv1.DeploymentSpec{Template: template}},
		&appsv1.ReplicaSet{ObjectMeta: meta("shop", "replicaset", "deployment", app)},
		&appsv1.StatefulSet{ObjectMeta: meta("shop", "statefulset", "app", app), Spec: appsv1.StatefulSetSpec{Template: template, ServiceName: "db"}},
		&appsv1.DaemonSet{ObjectMeta: meta("shop", "daemonset", "app", app), Spec: appsv1.DaemonSetSpec{Template: template}},
		&batchv1.Job{ObjectMeta: meta("shop", "done", "cronjob", app), Status: batchv1.JobStatus{
			CompletionTime: &metav1.Time{Time: noon}, Conditions: []batchv1.JobCondition{{Type: batchv1.JobComplete, Status: corev1.ConditionTrue}},
		}},
		&batchv1.Job{ObjectMeta: meta("shop", "failed", "cronjob", nil), Status: batchv1.JobStatus{
			Conditions: []batchv1.JobCondition{{Type: batchv1.JobFailed, Status: corev1.ConditionTrue}},
		}},
		&batchv1.CronJob{ObjectMeta: meta("shop", "cronjob", "app", app), Spec: batchv1.CronJobSpec{Suspend: ptr(true)}},
		&autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: meta("shop", "scaler", "", nil), Spec: autoscalingv2.HorizontalPodAutoscalerSpec{
			ScaleTargetRef: autoscalingv2.CrossVersionObjectReference{Kind: "Deployment", Name: "deployment"},
		}},

		&corev1.Event{
			ObjectMeta: meta("shop", "event", "", nil), Reason: "Pulled", Type: corev1.EventTypeNormal,
			InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web-1", UID: "web-1"},
			Source:         corev1.EventSource{Component: "kubelet"}, LastTimestamp: metav1.NewTime(noon),
		},

		&corev1.PersistentVolumeClaim{
			ObjectMeta: meta("shop", "data", "statefulset", app),
			Spec:       corev1.PersistentVolumeClaimSpec{VolumeName: "pv", StorageClassName: ptr("fast")},
			Status:     corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimBound},
		},
		&corev1.PersistentVolume{
			ObjectMeta: meta("", "pv", "", nil),
			Spec: corev1.PersistentVolumeSpec{
				ClaimRef: &corev1.ObjectReference{Namespace: "shop", Name: "data"}, StorageClassName: "fast",
				Capacity:               corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("10Gi")},
				PersistentVolumeSource: corev1.PersistentVolumeSource{CSI: &corev1.CSIPersistentVolumeSource{Driver: "csi.example.com", VolumeHandle: "vol-1"}},
			},
			Status: corev1.PersistentVolumeStatus{Phase: corev1.VolumeBound},
		},
		&storagev1.VolumeAttachment{ObjectMeta: meta("", "attachment", "", nil), Spec: storagev1.VolumeAttachmentSpec{
			Attacher: "csi.example.com", NodeName: "node-1", Source: storagev1.VolumeAttachmentSource{PersistentVolumeName: ptr("pv")},
		}},

		&corev1.Node{
			ObjectMeta: meta("", "node-1", "", map[string]string{corev1.LabelTopologyZone: "zone-a"}),
			Spec: corev1.NodeSpec{
				ProviderID: "cloud://1", PodCIDRs: []string{"10.0.0.0/24"}, Unschedulable: true,
				Taints: []corev1.Taint{{Key: "gpu", Effect: corev1.TaintEffectNoSchedule}, {Key: "spot", Effect: corev1.TaintEffectNoExecute}},
			},
			Status: corev1.NodeStatus{
				Addresses:  []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "192.0.2.1"}},
				Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady, Status: corev1.ConditionTrue}},
			},
		},
		&corev1.Namespace{ObjectMeta: meta("", "shop", "", map[string]string{"team": "a"}), Status: corev1.NamespaceStatus{Phase: corev1.NamespaceActive}},

		&corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{
				Namespace: "shop", Name: "token", Labels: app,
				Annotations:     map[string]string{corev1.ServiceAccountNameKey: "runner"},
				OwnerReferences: []metav1.OwnerReference{{UID: "certificate"}},
			},
			Type: corev1.SecretTypeServiceAccountToken,
		},
		&corev1.ConfigMap{ObjectMeta: meta("shop", "settings", "app", app)},
		&corev1.ServiceAccount{ObjectMeta: meta("shop", "runner", "", app), ImagePullSecrets: []corev1.LocalObjectReference{{Name: "pull"}}},
		&rbacv1.RoleBinding{
			ObjectMeta: meta("shop", "binding", "", nil), RoleRef: rbacv1.RoleRef{Kind: "Role", Name: "reader"},
			Subjects: []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: "shop", Name: "runner"}, {Kind: rbacv1.UserKind, Name: "ann"}},
		},
		&rbacv1.ClusterRoleBinding{
			ObjectMeta: meta("", "clusterbinding", "", nil), RoleRef: rbacv1.RoleRef{Kind: "ClusterRole", Name: "admin"},
			Subjects: []rbacv1.Subject{{Kind: rbacv1.GroupKind, Name: "admins"}},
		},
	}...)
}

func network() []runtime.Object {
	backend := networkingv1.IngressBackend{Service: &networkingv1.IngressServiceBackend{Name: "web"}}
	return []runtime.Object{
		&corev1.Service{
			ObjectMeta: meta("shop", "web", "app", map[string]string{"app": "web"}),
			Spec:       corev1.ServiceSpec{Type: corev1.ServiceTypeLoadBalancer, ClusterIPs: []string{"10.1.0.1", "fd01::1"}},
			Status:     corev1.ServiceStatus{LoadBalancer: corev1.LoadBalancerStatus{Ingress: []corev1.LoadBalancerIngress{{IP: "198.51.100.1"}}}},
		},
		&discoveryv1.EndpointSlice{
			ObjectMeta: meta("shop", "web-abc", "web", map[string]string{discoveryv1.LabelServiceName: "web"}),
			Endpoints: []discoveryv1.Endpoint{
				{
					Addresses: []string{"10.0.0.1", "10.0.0.2"}, NodeName: ptr("node-1"),
					TargetRef: &corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web-1", UID: "web-1"},
				},
				{TargetRef: &corev1.ObjectReference{Kind: "Machine", Namespace: "shop", Name: "vm"}},
				{Addresses: []string{"10.0.0.3"}},
			},
		},
		&networkingv1.Ingress{
			ObjectMeta: meta("shop", "routes", "", map[string]string{"app": "web"}),
			Spec: networkingv1.IngressSpec{
				IngressClassName: ptr("public"), DefaultBackend: &networkingv1.IngressBackend{Service: &networkingv1.IngressServiceBackend{Name: "fallback"}},
				TLS: []networkingv1.IngressTLS{{SecretName: "tls"}},
				Rules: []networkingv1.IngressRule{
					{Host: "shop.example.com", IngressRuleValue: networkingv1.IngressRuleValue{HTTP: &networkingv1.HTTPIngressRuleValue{
						Paths: []networkingv1.HTTPIngressPath{{Backend: backend}, {Backend: networkingv1.IngressBackend{Resource: &corev1.TypedLocalObjectReference{Name: "bucket"}}}},
					}}},
					{Host: "empty.example.com"},
				},
			},
		},
	}
}
