// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package corpus

import (
	"testing"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	admissionregistrationv1alpha1 "k8s.io/api/admissionregistration/v1alpha1"
	admissionregistrationv1beta1 "k8s.io/api/admissionregistration/v1beta1"
	apiserverinternalv1alpha1 "k8s.io/api/apiserverinternal/v1alpha1"
	appsv1 "k8s.io/api/apps/v1"
	appsv1beta1 "k8s.io/api/apps/v1beta1"
	appsv1beta2 "k8s.io/api/apps/v1beta2"
	authenticationv1 "k8s.io/api/authentication/v1"
	authenticationv1alpha1 "k8s.io/api/authentication/v1alpha1"
	authenticationv1beta1 "k8s.io/api/authentication/v1beta1"
	authorizationv1 "k8s.io/api/authorization/v1"
	authorizationv1beta1 "k8s.io/api/authorization/v1beta1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	batchv1beta1 "k8s.io/api/batch/v1beta1"
	certificatesv1 "k8s.io/api/certificates/v1"
	certificatesv1alpha1 "k8s.io/api/certificates/v1alpha1"
	certificatesv1beta1 "k8s.io/api/certificates/v1beta1"
	coordinationv1 "k8s.io/api/coordination/v1"
	coordinationv1alpha2 "k8s.io/api/coordination/v1alpha2"
	coordinationv1beta1 "k8s.io/api/coordination/v1beta1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	discoveryv1beta1 "k8s.io/api/discovery/v1beta1"
	eventsv1 "k8s.io/api/events/v1"
	eventsv1beta1 "k8s.io/api/events/v1beta1"
	extensionsv1beta1 "k8s.io/api/extensions/v1beta1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	flowcontrolv1beta1 "k8s.io/api/flowcontrol/v1beta1"
	flowcontrolv1beta2 "k8s.io/api/flowcontrol/v1beta2"
	flowcontrolv1beta3 "k8s.io/api/flowcontrol/v1beta3"
	lifecyclev1alpha1 "k8s.io/api/lifecycle/v1alpha1"
	networkingv1 "k8s.io/api/networking/v1"
	networkingv1beta1 "k8s.io/api/networking/v1beta1"
	nodev1 "k8s.io/api/node/v1"
	nodev1alpha1 "k8s.io/api/node/v1alpha1"
	nodev1beta1 "k8s.io/api/node/v1beta1"
	policyv1 "k8s.io/api/policy/v1"
	policyv1beta1 "k8s.io/api/policy/v1beta1"
	rbacv1 "k8s.io/api/rbac/v1"
	rbacv1alpha1 "k8s.io/api/rbac/v1alpha1"
	rbacv1beta1 "k8s.io/api/rbac/v1beta1"
	resourcev1 "k8s.io/api/resource/v1"
	resourcev1alpha3 "k8s.io/api/resource/v1alpha3"
	resourcev1beta1 "k8s.io/api/resource/v1beta1"
	resourcev1beta2 "k8s.io/api/resource/v1beta2"
	schedulingv1 "k8s.io/api/scheduling/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	storagev1 "k8s.io/api/storage/v1"
	storagev1alpha1 "k8s.io/api/storage/v1alpha1"
	storagev1beta1 "k8s.io/api/storage/v1beta1"
	storagemigrationv1 "k8s.io/api/storagemigration/v1"
	storagemigrationv1beta1 "k8s.io/api/storagemigration/v1beta1"
)

// TestAPITypes goes over every type of k8s.io/api that is an object.
func TestAPITypes(t *testing.T) {
	check[admissionregistrationv1.MutatingAdmissionPolicyBinding](t)
	check[admissionregistrationv1.MutatingAdmissionPolicy](t)
	check[admissionregistrationv1.MutatingWebhookConfiguration](t)
	check[admissionregistrationv1.ValidatingAdmissionPolicyBinding](t)
	check[admissionregistrationv1.ValidatingAdmissionPolicy](t)
	check[admissionregistrationv1.ValidatingWebhookConfiguration](t)
	check[admissionregistrationv1alpha1.MutatingAdmissionPolicyBinding](t)
	check[admissionregistrationv1alpha1.MutatingAdmissionPolicy](t)
	check[admissionregistrationv1alpha1.ValidatingAdmissionPolicyBinding](t)
	check[admissionregistrationv1alpha1.ValidatingAdmissionPolicy](t)
	check[admissionregistrationv1beta1.MutatingAdmissionPolicyBinding](t)
	check[admissionregistrationv1beta1.MutatingAdmissionPolicy](t)
	check[admissionregistrationv1beta1.MutatingWebhookConfiguration](t)
	check[admissionregistrationv1beta1.ValidatingAdmissionPolicyBinding](t)
	check[admissionregistrationv1beta1.ValidatingAdmissionPolicy](t)
	check[admissionregistrationv1beta1.ValidatingWebhookConfiguration](t)
	check[apiserverinternalv1alpha1.StorageVersion](t)
	check[appsv1.ControllerRevision](t)
	check[appsv1.DaemonSet](t)
	check[appsv1.Deployment](t)
	check[appsv1.ReplicaSet](t)
	check[appsv1.StatefulSet](t)
	check[appsv1beta1.ControllerRevision](t)
	check[appsv1beta1.Deployment](t)
	check[appsv1beta1.Scale](t)
	check[appsv1beta1.StatefulSet](t)
	check[appsv1beta2.ControllerRevision](t)
	check[appsv1beta2.DaemonSet](t)
	check[appsv1beta2.Deployment](t)
	check[appsv1beta2.ReplicaSet](t)
	check[appsv1beta2.Scale](t)
	check[appsv1beta2.StatefulSet](t)
	check[authenticationv1.SelfSubjectReview](t)
	check[authenticationv1.TokenRequest](t)
	check[authenticationv1.TokenReview](t)
	check[authenticationv1alpha1.SelfSubjectReview](t)
	check[authenticationv1beta1.SelfSubjectReview](t)
	check[authenticationv1beta1.TokenReview](t)
	check[authorizationv1.LocalSubjectAccessReview](t)
	check[authorizationv1.SelfSubjectAccessReview](t)
	check[authorizationv1.SelfSubjectRulesReview](t)
	check[authorizationv1.SubjectAccessReview](t)
	check[authorizationv1beta1.LocalSubjectAccessReview](t)
	check[authorizationv1beta1.SelfSubjectAccessReview](t)
	check[authorizationv1beta1.SelfSubjectRulesReview](t)
	check[authorizationv1beta1.SubjectAccessReview](t)
	check[autoscalingv1.HorizontalPodAutoscaler](t)
	check[autoscalingv1.Scale](t)
	check[autoscalingv2.HorizontalPodAutoscaler](t)
	check[batchv1.CronJob](t)
	check[batchv1.Job](t)
	check[batchv1beta1.CronJob](t)
	check[certificatesv1.CertificateSigningRequest](t)
	check[certificatesv1.ClusterTrustBundle](t)
	check[certificatesv1.PodCertificateRequest](t)
	check[certificatesv1alpha1.ClusterTrustBundle](t)
	check[certificatesv1beta1.CertificateSigningRequest](t)
	check[certificatesv1beta1.ClusterTrustBundle](t)
	check[certificatesv1beta1.PodCertificateRequest](t)
	check[coordinationv1.Lease](t)
	check[coordinationv1alpha2.LeaseCandidate](t)
	check[coordinationv1beta1.LeaseCandidate](t)
	check[coordinationv1beta1.Lease](t)
	check[corev1.Binding](t)
	check[corev1.ComponentStatus](t)
	check[corev1.ConfigMap](t)
	check[corev1.Endpoints](t)
	check[corev1.Event](t)
	check[corev1.LimitRange](t)
	check[corev1.Namespace](t)
	check[corev1.Node](t)
	check[corev1.PersistentVolumeClaim](t)
	check[corev1.PersistentVolume](t)
	check[corev1.PodTemplate](t)
	check[corev1.Pod](t)
	check[corev1.RangeAllocation](t)
	check[corev1.ReplicationController](t)
	check[corev1.ResourceQuota](t)
	check[corev1.Secret](t)
	check[corev1.ServiceAccount](t)
	check[corev1.Service](t)
	check[discoveryv1.EndpointSlice](t)
	check[discoveryv1beta1.EndpointSlice](t)
	check[eventsv1.Event](t)
	check[eventsv1beta1.Event](t)
	check[extensionsv1beta1.DaemonSet](t)
	check[extensionsv1beta1.Deployment](t)
	check[extensionsv1beta1.Ingress](t)
	check[extensionsv1beta1.NetworkPolicy](t)
	check[extensionsv1beta1.ReplicaSet](t)
	check[extensionsv1beta1.Scale](t)
	check[flowcontrolv1.FlowSchema](t)
	check[flowcontrolv1.PriorityLevelConfiguration](t)
	check[flowcontrolv1beta1.FlowSchema](t)
	check[flowcontrolv1beta1.PriorityLevelConfiguration](t)
	check[flowcontrolv1beta2.FlowSchema](t)
	check[flowcontrolv1beta2.PriorityLevelConfiguration](t)
	check[flowcontrolv1beta3.FlowSchema](t)
	check[flowcontrolv1beta3.PriorityLevelConfiguration](t)
	check[lifecyclev1alpha1.EvictionRequest](t)
	check[lifecyclev1alpha1.Eviction](t)
	check[networkingv1.IPAddress](t)
	check[networkingv1.IngressClass](t)
	check[networkingv1.Ingress](t)
	check[networkingv1.NetworkPolicy](t)
	check[networkingv1.ServiceCIDR](t)
	check[networkingv1beta1.IPAddress](t)
	check[networkingv1beta1.IngressClass](t)
	check[networkingv1beta1.Ingress](t)
	check[networkingv1beta1.ServiceCIDR](t)
	check[nodev1.RuntimeClass](t)
	check[nodev1alpha1.RuntimeClass](t)
	check[nodev1beta1.RuntimeClass](t)
	check[policyv1.Eviction](t)
	check[policyv1.PodDisruptionBudget](t)
	check[policyv1beta1.Eviction](t)
	check[policyv1beta1.PodDisruptionBudget](t)
	check[rbacv1.ClusterRoleBinding](t)
	check[rbacv1.ClusterRole](t)
	check[rbacv1.RoleBinding](t)
	check[rbacv1.Role](t)
	check[rbacv1alpha1.ClusterRoleBinding](t)
	check[rbacv1alpha1.ClusterRole](t)
	check[rbacv1alpha1.RoleBinding](t)
	check[rbacv1alpha1.Role](t)
	check[rbacv1beta1.ClusterRoleBinding](t)
	check[rbacv1beta1.ClusterRole](t)
	check[rbacv1beta1.RoleBinding](t)
	check[rbacv1beta1.Role](t)
	check[resourcev1.DeviceClass](t)
	check[resourcev1.DeviceTaintRule](t)
	check[resourcev1.ResourceClaimTemplate](t)
	check[resourcev1.ResourceClaim](t)
	check[resourcev1.ResourceSlice](t)
	check[resourcev1alpha3.DeviceTaintRule](t)
	check[resourcev1alpha3.ResourcePoolStatusRequest](t)
	check[resourcev1beta1.DeviceClass](t)
	check[resourcev1beta1.ResourceClaimTemplate](t)
	check[resourcev1beta1.ResourceClaim](t)
	check[resourcev1beta1.ResourceSlice](t)
	check[resourcev1beta2.DeviceClass](t)
	check[resourcev1beta2.DeviceTaintRule](t)
	check[resourcev1beta2.ResourceClaimTemplate](t)
	check[resourcev1beta2.ResourceClaim](t)
	check[resourcev1beta2.ResourceSlice](t)
	check[schedulingv1.PriorityClass](t)
	check[schedulingv1alpha3.CompositePodGroup](t)
	check[schedulingv1alpha3.PodGroup](t)
	check[schedulingv1alpha3.Workload](t)
	check[schedulingv1beta1.PodGroup](t)
	check[schedulingv1beta1.PriorityClass](t)
	check[schedulingv1beta1.Workload](t)
	check[storagemigrationv1.StorageVersionMigration](t)
	check[storagemigrationv1beta1.StorageVersionMigration](t)
	check[storagev1.CSIDriver](t)
	check[storagev1.CSINode](t)
	check[storagev1.CSIStorageCapacity](t)
	check[storagev1.StorageClass](t)
	check[storagev1.VolumeAttachment](t)
	check[storagev1.VolumeAttributesClass](t)
	check[storagev1alpha1.CSIStorageCapacity](t)
	check[storagev1alpha1.VolumeAttachment](t)
	check[storagev1alpha1.VolumeAttributesClass](t)
	check[storagev1beta1.CSIDriver](t)
	check[storagev1beta1.CSINode](t)
	check[storagev1beta1.CSIStorageCapacity](t)
	check[storagev1beta1.StorageClass](t)
	check[storagev1beta1.VolumeAttachment](t)
	check[storagev1beta1.VolumeAttributesClass](t)
	sum(t)
}
