// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package builtin

import corev1 "k8s.io/api/core/v1"

// Secret is found by its type, and a token by the ServiceAccount that it is for.
//
// +index:name=Type,path=.type
// +index:ref:name=ServiceAccount,path=.metadata.annotations['kubernetes.io/service-account.name']
// +index:owner
// +index:labels
type Secret = corev1.Secret

// ConfigMap is found by its owner and its labels.
//
// +index:owner
// +index:labels
type ConfigMap = corev1.ConfigMap

// ServiceAccount is found by the Secrets that its Pods' images are pulled with.
//
// +index:ref:name=ImagePullSecret,path=.imagePullSecrets[*].name
// +index:labels
type ServiceAccount = corev1.ServiceAccount
