// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package builtin

import (
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Service is found by its addresses. ByClusterIP("None") yields the headless ones.
//
// +index:name=Type,path=.spec.type
// +index:name=ClusterIP,path=.spec.clusterIPs
// +index:name=LoadBalancerIP,path=.status.loadBalancer.ingress[*].ip
// +index:owner
// +index:labels
type Service = corev1.Service

// EndpointSlice is found by its Service, and by what its endpoints are.
//
// +index:ref:name=Service,path=.metadata.labels['kubernetes.io/service-name']
// +index:name=Node,path=.endpoints[*].nodeName
// +index:name=Address,path=.endpoints[*].addresses
// +index:name=TargetUID,path=.endpoints[*].targetRef.uid
// +index:owner
type EndpointSlice = discoveryv1.EndpointSlice

// +index:func:name=Pod
func endpointSlicePods(s *EndpointSlice) []types.NamespacedName {
	var keys []types.NamespacedName
	for i := range s.Endpoints {
		if ref := s.Endpoints[i].TargetRef; ref != nil && ref.Kind == "Pod" {
			keys = append(keys, types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name})
		}
	}
	return keys
}

// Ingress is found by its hosts, and by what it refers to.
//
// +index:name=Class,path=.spec.ingressClassName
// +index:name=Host,path=.spec.rules[*].host
// +index:ref:name=Secret,path=.spec.tls[*].secretName
// +index:labels
type Ingress = networkingv1.Ingress

// +index:func:name=Service
func ingressServices(in *Ingress) []types.NamespacedName {
	var names []string
	add := func(b *networkingv1.IngressBackend) {
		if b != nil && b.Service != nil {
			names = append(names, b.Service.Name)
		}
	}
	add(in.Spec.DefaultBackend)
	for i := range in.Spec.Rules {
		if http := in.Spec.Rules[i].HTTP; http != nil {
			for j := range http.Paths {
				add(&http.Paths[j].Backend)
			}
		}
	}
	return within(in.Namespace, names)
}
