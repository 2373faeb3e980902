// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package envoygateway has markers for the indexes that Envoy Gateway writes by hand for types of the Gateway
// API. Its test fetches Envoy Gateway's index functions, and compares their keys with those of emitted code.
//
// The objects are as an API server stores them, with its defaults: the kind of a parentRef is set, for
// example. Some of Envoy Gateway's functions take an unset kind for the default, others dereference it.
//
// The test also lists the index functions that no marker replaces, with what they would need. Write those
// with the marker +index:func.
package envoygateway

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	gatewayv1 "sigs.k8s.io/gateway-api/apis/v1"
	gatewayv1beta1 "sigs.k8s.io/gateway-api/apis/v1beta1"
)

//go:generate go run github.com/indexer-gen/indexer-gen/cmd/indexer-gen -target=controller-runtime -header=../../../hack/header.go.txt

// HTTPRoute is found by its Gateways.
// +index:ref:name=Gateway,path=.spec.parentRefs[?(@.kind=="Gateway")].name,namespacePath=.spec.parentRefs[?(@.kind=="Gateway")].namespace
type HTTPRoute = gatewayv1.HTTPRoute

// GRPCRoute is found by its Gateways.
// +index:ref:name=Gateway,path=.spec.parentRefs[?(@.kind=="Gateway")].name,namespacePath=.spec.parentRefs[?(@.kind=="Gateway")].namespace
type GRPCRoute = gatewayv1.GRPCRoute

// TLSRoute is found by its Gateways.
// +index:ref:name=Gateway,path=.spec.parentRefs[?(@.kind=="Gateway")].name,namespacePath=.spec.parentRefs[?(@.kind=="Gateway")].namespace
type TLSRoute = gatewayv1.TLSRoute

// TCPRoute is found by its Gateways.
// +index:ref:name=Gateway,path=.spec.parentRefs[?(@.kind=="Gateway")].name,namespacePath=.spec.parentRefs[?(@.kind=="Gateway")].namespace
type TCPRoute = gatewayv1.TCPRoute

// UDPRoute is found by its Gateways.
// +index:ref:name=Gateway,path=.spec.parentRefs[?(@.kind=="Gateway")].name,namespacePath=.spec.parentRefs[?(@.kind=="Gateway")].namespace
type UDPRoute = gatewayv1.UDPRoute

// Gateway is found by its class.
// +index:name=Class,path=.spec.gatewayClassName
type Gateway = gatewayv1.Gateway

// BackendTLSPolicy is found by what its certificates are in.
// +index:ref:name=ConfigMap,path=.spec.validation.caCertificateRefs[?(@.kind=="ConfigMap")].name
// +index:ref:name=Secret,path=.spec.validation.caCertificateRefs[?(@.kind=="Secret")].name
// +index:name=ClusterTrustBundle,path=.spec.validation.caCertificateRefs[?(@.kind=="ClusterTrustBundle")].name
type BackendTLSPolicy = gatewayv1.BackendTLSPolicy

// ReferenceGrant is found by the kinds that it grants references to.
// +index:name=Kind,path=.spec.to[*].kind
type ReferenceGrant = gatewayv1beta1.ReferenceGrant

// EndpointSlice is found by its Service or ServiceImport.
// +index:name=Service,path=.metadata.labels['kubernetes.io/service-name']
// +index:name=ServiceImport,path=.metadata.labels['multicluster.kubernetes.io/service-name']
type EndpointSlice = discoveryv1.EndpointSlice
