// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
)

// PersistentVolumeClaim is indexed by its volume.
//
// +index:name=Volume,path=.spec.volumeName
// +index:name=StorageClass,path=.spec.storageClassName
// +index:name=Phase,path=.status.phase
// +index:owner
// +index:labels
type PersistentVolumeClaim = corev1.PersistentVolumeClaim

// PersistentVolume is indexed by the one claim that it is bound to.
//
// +index:ref:name=Claim,path=.spec.claimRef.name,namespacePath=.spec.claimRef.namespace,unique=true
// +index:name=CSIHandle,paths={.spec.csi.driver,.spec.csi.volumeHandle}
// +index:name=StorageClass,path=.spec.storageClassName
// +index:name=Phase,path=.status.phase
// +index:name=Capacity,path=.spec.capacity['storage'],ordered=true
type PersistentVolume = corev1.PersistentVolume

// VolumeAttachment is indexed by its volume and by its node.
//
// +index:name=Node,path=.spec.nodeName
// +index:name=Volume,path=.spec.source.persistentVolumeName
// +index:name=Attacher,path=.spec.attacher
type VolumeAttachment = storagev1.VolumeAttachment
