// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package foreign indexes types that other modules declare. Group, version,
// resource and scope are read where they are declared, or said here.
package foreign

import (
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Pod is a Pod.
// +index:name=Node,path=.spec.nodeName
// +index:name=NodePhase,paths={.spec.nodeName,.status.phase}
// +index:name=IP,path=.status.podIPs[*].ip,unique=true
// +index:name=Ready,path=.status.conditions[?(@.type=="Ready")].status
// +index:name=Started,path=.status.startTime,ordered=true
// +index:name=Image,path=.spec.containers[*].image
// +index:name=CPU,path=.spec.containers[*].resources.requests['cpu'],ordered=true
// +index:name=Port,paths={.spec.containers[*].ports[*].containerPort,.spec.containers[*].ports[*].protocol}
// +index:ref:name=Claim,path=.spec.volumes[*].persistentVolumeClaim.claimName
// +index:ref:name=Secret,path=.spec.volumes[*].secret.secretName
// +index:labels
// +index:owner
type Pod = corev1.Pod

// PodList lists Pods, under a name of this package.
type PodList = corev1.PodList

// Volume has another name here than where it comes from, and lives in no namespace.
// +index:ref:name=Claim,path=.spec.claimRef.name,namespacePath=.spec.claimRef.namespace,unique=true
// +index:name=Capacity,path=.spec.capacity['storage'],ordered=true
type Volume = corev1.PersistentVolume

// StorageClass is of another group.
// +index:name=Provisioner,path=.provisioner
type StorageClass = storagev1.StorageClass

// Meta is served by a CRD: its package has no group.
// +groupName=foreign.example.com
// +versionName=v1beta2
// +kubebuilder:resource:path=gadgets,scope=Cluster
// +index:name=Finalizer,path=.metadata.finalizers
type Meta = metav1.PartialObjectMetadata

// +index:func:name=Restarts,ordered=true
func restarts(p *Pod) int32 {
	var n int32
	for i := range p.Status.ContainerStatuses {
		n += p.Status.ContainerStatuses[i].RestartCount
	}
	return n
}

// Zone is of a function that takes the type by its own name.
// +index:func:name=Zone
func Zone(p *corev1.Pod) []string {
	if zone, ok := p.Spec.NodeSelector[corev1.LabelTopologyZone]; ok {
		return []string{zone}
	}
	return nil
}
