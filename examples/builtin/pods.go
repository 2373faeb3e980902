// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Pod is found by where it runs, how it is, what it belongs to and what it uses.
// ByNode("") yields those that have not been scheduled. Of host-network Pods many
// have the IP of their node.
//
// +index:name=Node,path=.spec.nodeName
// +index:name=NominatedNode,path=.status.nominatedNodeName
// +index:name=Phase,path=.status.phase
// +index:name=NodePhase,paths={.spec.nodeName,.status.phase}
// +index:name=Ready,path=.status.conditions[?(@.type=="Ready")].status
// +index:name=IP,path=.status.podIPs[*].ip
// +index:name=Image,path=.spec.containers[*].image
// +index:name=Created,path=.metadata.creationTimestamp,ordered=true
// +index:ref:name=ServiceAccount,path=.spec.serviceAccountName
// +index:owner
// +index:labels
type Pod = corev1.Pod

// +index:func:name=Claim
func podClaims(p *Pod) []types.NamespacedName {
	names := claims(&p.Spec)
	for i := range p.Spec.Volumes {
		if p.Spec.Volumes[i].Ephemeral != nil {
			names = append(names, p.Name+"-"+p.Spec.Volumes[i].Name)
		}
	}
	return within(p.Namespace, names)
}

// +index:func:name=Secret
func podSecrets(p *Pod) []types.NamespacedName { return within(p.Namespace, secrets(&p.Spec)) }

// +index:func:name=ConfigMap
func podConfigMaps(p *Pod) []types.NamespacedName { return within(p.Namespace, configMaps(&p.Spec)) }
