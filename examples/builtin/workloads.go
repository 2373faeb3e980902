// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Deployment is indexed by what its Pods use, for controllers that restart them when a
// Secret or ConfigMap changes.
//
// +index:name=Image,path=.spec.template.spec.containers[*].image
// +index:ref:name=ServiceAccount,path=.spec.template.spec.serviceAccountName
// +index:owner
// +index:labels
type Deployment = appsv1.Deployment

// +index:func:name=Claim
func deploymentClaims(d *Deployment) []types.NamespacedName {
	return within(d.Namespace, claims(&d.Spec.Template.Spec))
}

// +index:func:name=Secret
func deploymentSecrets(d *Deployment) []types.NamespacedName {
	return within(d.Namespace, secrets(&d.Spec.Template.Spec))
}

// +index:func:name=ConfigMap
func deploymentConfigMaps(d *Deployment) []types.NamespacedName {
	return within(d.Namespace, configMaps(&d.Spec.Template.Spec))
}

// ReplicaSet is found by the Deployment that controls it.
//
// +index:owner
// +index:labels
type ReplicaSet = appsv1.ReplicaSet

// StatefulSet is found by what its Pods use, and by its governing Service. The
// claims that it makes from templates are the Pods'.
//
// +index:name=Image,path=.spec.template.spec.containers[*].image
// +index:ref:name=ServiceAccount,path=.spec.template.spec.serviceAccountName
// +index:ref:name=Service,path=.spec.serviceName
// +index:owner
// +index:labels
type StatefulSet = appsv1.StatefulSet

// +index:func:name=Claim
func statefulSetClaims(s *StatefulSet) []types.NamespacedName {
	return within(s.Namespace, claims(&s.Spec.Template.Spec))
}

// +index:func:name=Secret
func statefulSetSecrets(s *StatefulSet) []types.NamespacedName {
	return within(s.Namespace, secrets(&s.Spec.Template.Spec))
}

// +index:func:name=ConfigMap
func statefulSetConfigMaps(s *StatefulSet) []types.NamespacedName {
	return within(s.Namespace, configMaps(&s.Spec.Template.Spec))
}

// DaemonSet is found by what its Pods use.
//
// +index:name=Image,path=.spec.template.spec.containers[*].image
// +index:ref:name=ServiceAccount,path=.spec.template.spec.serviceAccountName
// +index:owner
// +index:labels
type DaemonSet = appsv1.DaemonSet

// +index:func:name=Claim
func daemonSetClaims(d *DaemonSet) []types.NamespacedName {
	return within(d.Namespace, claims(&d.Spec.Template.Spec))
}

// +index:func:name=Secret
func daemonSetSecrets(d *DaemonSet) []types.NamespacedName {
	return within(d.Namespace, secrets(&d.Spec.Template.Spec))
}

// +index:func:name=ConfigMap
func daemonSetConfigMaps(d *DaemonSet) []types.NamespacedName {
	return within(d.Namespace, configMaps(&d.Spec.Template.Spec))
}

// Job is found by the CronJob, or whatever else, that owns it, by how it ended, and
// by when: ByCompletedRange(time.Time{}, limit) yields what a janitor may delete,
// the oldest first.
//
// +index:name=Complete,path=.status.conditions[?(@.type=="Complete")].status
// +index:name=Failed,path=.status.conditions[?(@.type=="Failed")].status
// +index:name=Completed,path=.status.completionTime,ordered=true
// +index:owner
// +index:labels
type Job = batchv1.Job

// CronJob is found by its owner, and by whether it is suspended, if that was said.
//
// +index:name=Suspended,path=.spec.suspend
// +index:owner
// +index:labels
type CronJob = batchv1.CronJob

// HorizontalPodAutoscaler is found by what it scales.
//
// +index:name=Target,paths={.metadata.namespace,.spec.scaleTargetRef.kind,.spec.scaleTargetRef.name}
type HorizontalPodAutoscaler = autoscalingv2.HorizontalPodAutoscaler
