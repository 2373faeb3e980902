// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package builtin

import corev1 "k8s.io/api/core/v1"

// Node is found by its machine, its addresses, and by whether Pods may run there.
//
// +index:name=ProviderID,path=.spec.providerID
// +index:name=Address,path=.status.addresses[*].address
// +index:name=PodCIDR,path=.spec.podCIDRs
// +index:name=Ready,path=.status.conditions[?(@.type=="Ready")].status
// +index:name=Unschedulable,path=.spec.unschedulable
// +index:name=Taint,paths={.spec.taints[*].key,.spec.taints[*].effect}
// +index:name=Zone,path=.metadata.labels['topology.kubernetes.io/zone']
// +index:labels
type Node = corev1.Node

// Namespace is found by its labels, as namespace selectors ask for it.
//
// +index:name=Phase,path=.status.phase
// +index:labels
type Namespace = corev1.Namespace
