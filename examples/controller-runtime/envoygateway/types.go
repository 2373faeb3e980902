// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package envoygateway has markers for the indexes that Envoy Gateway writes by hand for types of the Gateway
// API. Its test fetches Envoy Gateway's index functions, and compares their keys with those of emitted code.
//
// The objects are as an API server stores them, with its defaults: the kind of a parentRef is set, for
// example. Some of Envoy Gateway's functions take an unset kind for the default, others dereference it.
//
// Some of its functions index several kinds in one index, whose keys lack the kind: a Service and a Backend of one
// name collide there. Their keys are compared with those of an index for each kind.
package envoygateway

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	gatewayv1beta1 "sigs.k8s.io/gateway-api/apis/v1beta1"
)

//go:generate go run github.com/indexer-gen/indexer-gen/cmd/indexer-gen -target=controller-runtime -header=../../../hack/header.go.txt

// HTTPRoute is found by its parents, backends and filters.
// +index:ref:name=Gateway,path=.spec.parentRefs[*],to=Gateway.gateway.networking.k8s.io
// +index:ref:name=ListenerSet,path=.spec.parentRefs[*],to=ListenerSet.gateway.networking.k8s.io
// +index:ref:name=Service,path=.spec.rules[*].backendRefs[*],to=Service
// +index:ref:name=Service,path=.spec.rules[*].filters[*].requestMirror.backendRef,to=Service
// +index:ref:name=ServiceImport,path=.spec.rules[*].backendRefs[*],to=ServiceImport.multicluster.x-k8s.io,scope=Namespaced
// +index:ref:name=ServiceImport,path=.spec.rules[*].filters[*].requestMirror.backendRef,to=ServiceImport.multicluster.x-k8s.io,scope=Namespaced
// +index:ref:name=Backend,path=.spec.rules[*].backendRefs[*],to=Backend.gateway.envoyproxy.io,scope=Namespaced
// +index:ref:name=Backend,path=.spec.rules[*].filters[*].requestMirror.backendRef,to=Backend.gateway.envoyproxy.io,scope=Namespaced
// +index:ref:name=Filter,path=.spec.rules[*].filters[*].extensionRef,to=HTTPRouteFilter.gateway.envoyproxy.io,scope=Namespaced
// +index:ref:name=Filter,path=.spec.rules[*].backendRefs[*].filters[*].extensionRef,to=HTTPRouteFilter.gateway.envoyproxy.io,scope=Namespaced
type HTTPRoute = gatewayv1.HTTPRoute

// GRPCRoute is found by its parents, backends and filters.
// +index:ref:name=Gateway,path=.spec.parentRefs[*],to=Gateway.gateway.networking.k8s.io
// +index:ref:name=ListenerSet,path=.spec.parentRefs[*],to=ListenerSet.gateway.networking.k8s.io
// +index:ref:name=Service,path=.spec.rules[*].backendRefs[*],to=Service
// +index:ref:name=Service,path=.spec.rules[*].filters[*].requestMirror.backendRef,to=Service
// +index:ref:name=Backend,path=.spec.rules[*].backendRefs[*],to=Backend.gateway.envoyproxy.io,scope=Namespaced
// +index:ref:name=Backend,path=.spec.rules[*].filters[*].requestMirror.backendRef,to=Backend.gateway.envoyproxy.io,scope=Namespaced
// +index:ref:name=Filter,path=.spec.rules[*].filters[*].extensionRef,to=HTTPRouteFilter.gateway.envoyproxy.io,scope=Namespaced
type GRPCRoute = gatewayv1.GRPCRoute

// TLSRoute is found by its parents and backends.
// +index:ref:name=Gateway,path=.spec.parentRefs[*],to=Gateway.gateway.networking.k8s.io
// +index:ref:name=ListenerSet,path=.spec.parentRefs[*],to=ListenerSet.gateway.networking.k8s.io
// +index:ref:name=Service,path=.spec.rules[*].backendRefs[*],to=Service
// +index:ref:name=Backend,path=.spec.rules[*].backendRefs[*],to=Backend.gateway.envoyproxy.io,scope=Namespaced
type TLSRoute = gatewayv1.TLSRoute

// TCPRoute is found by its parents and backends.
// +index:ref:name=Gateway,path=.spec.parentRefs[*],to=Gateway.gateway.networking.k8s.io
// +index:ref:name=ListenerSet,path=.spec.parentRefs[*],to=ListenerSet.gateway.networking.k8s.io
// +index:ref:name=Service,path=.spec.rules[*].backendRefs[*],to=Service
// +index:ref:name=Backend,path=.spec.rules[*].backendRefs[*],to=Backend.gateway.envoyproxy.io,scope=Namespaced
type TCPRoute = gatewayv1.TCPRoute

// UDPRoute is found by its parents and backends.
// +index:ref:name=Gateway,path=.spec.parentRefs[*],to=Gateway.gateway.networking.k8s.io
// +index:ref:name=ListenerSet,path=.spec.parentRefs[*],to=ListenerSet.gateway.networking.k8s.io
// +index:ref:name=Service,path=.spec.rules[*].backendRefs[*],to=Service
// +index:ref:name=Backend,path=.spec.rules[*].backendRefs[*],to=Backend.gateway.envoyproxy.io,scope=Namespaced
type UDPRoute = gatewayv1.UDPRoute

// Gateway is found by its class and certificates.
// +index:name=Class,path=.spec.gatewayClassName
// +index:ref:name=Secret,path=.spec.listeners[?(@.tls.mode=="Terminate")].tls.certificateRefs[*],to=Secret
type Gateway = gatewayv1.Gateway

// ListenerSet is found by its Gateway and certificates.
// +index:ref:name=Gateway,path=.spec.parentRef,to=Gateway.gateway.networking.k8s.io
// +index:ref:name=Secret,path=.spec.listeners[?(@.tls.mode=="Terminate")].tls.certificateRefs[*],to=Secret
type ListenerSet = gatewayv1.ListenerSet

// BackendTLSPolicy is found by what its certificates are in.
// +index:ref:name=ConfigMap,path=.spec.validation.caCertificateRefs,to=ConfigMap
// +index:ref:name=Secret,path=.spec.validation.caCertificateRefs,to=Secret
// +index:ref:name=ClusterTrustBundle,path=.spec.validation.caCertificateRefs,to=ClusterTrustBundle.certificates.k8s.io
type BackendTLSPolicy = gatewayv1.BackendTLSPolicy

// ReferenceGrant is found by the kinds that it grants references to.
// +index:name=Kind,path=.spec.to[*].kind
type ReferenceGrant = gatewayv1beta1.ReferenceGrant

// EndpointSlice is found by its Service or ServiceImport.
// +index:name=Service,path=.metadata.labels['kubernetes.io/service-name']
// +index:name=ServiceImport,path=.metadata.labels['multicluster.kubernetes.io/service-name']
type EndpointSlice = discoveryv1.EndpointSlice
