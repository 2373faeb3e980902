// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package tenants has 14 indexes of 8 types for the caches of client-go and controller-runtime. A test limits
// the lines that they take.
package tenants

import (
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
)

// Pod is found by its Node and by what it reads.
// +index:name=Node,path=.spec.nodeName
// +index:ref:name=Secret,path=.spec.volumes[*].secret.secretName,to=Secret
// +index:ref:name=Claim,path=.spec.volumes[*].persistentVolumeClaim.claimName,to=PersistentVolumeClaim
type Pod = corev1.Pod

// Ingress is found by its class and certificates.
// +index:name=Class,path=.spec.ingressClassName
// +index:ref:name=Secret,path=.spec.tls[*].secretName,to=Secret
type Ingress = networkingv1.Ingress

// PersistentVolumeClaim is found by its storage.
// +index:name=StorageClass,path=.spec.storageClassName
// +index:ref:name=Volume,path=.spec.volumeName,to=PersistentVolume
type PersistentVolumeClaim = corev1.PersistentVolumeClaim

// EndpointSlice is found by its Service.
// +index:name=Service,path=.metadata.labels['kubernetes.io/service-name']
type EndpointSlice = discoveryv1.EndpointSlice

// Job is found by its tenant and its manager.
// +index:name=Tenant,path=.metadata.labels['example.com/tenant']
// +index:name=Manager,path=.spec.managedBy
type Job = batchv1.Job

// RoleBinding is found by its role and subjects.
// +index:name=Role,path=.roleRef.name
// +index:name=Subject,path=.subjects[*].name
type RoleBinding = rbacv1.RoleBinding

// Namespace is found by its tenant.
// +index:name=Tenant,path=.metadata.labels['example.com/tenant']
type Namespace = corev1.Namespace

// Node is found by its provider's name for it.
// +index:name=Provider,path=.spec.providerID
type Node = corev1.Node
