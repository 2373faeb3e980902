// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fluxcd converts the watches of Flux's kustomize-controller. Markers replace its index functions. The
// lines of a trigger replace its map functions and predicates. The test fetches Flux's functions and compares
// what both yield for the same changes.
package fluxcd

import (
	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
)

//go:generate go run github.com/indexer-gen/indexer-gen/cmd/indexer-gen -header=../../../hack/header.go.txt

// Kustomization is found by its source, and by the ConfigMaps and Secrets that it reads.
// +index:ref:name=GitRepository,path=.spec.sourceRef,to=GitRepository.source.toolkit.fluxcd.io,scope=Namespaced
// +index:ref:name=OCIRepository,path=.spec.sourceRef,to=OCIRepository.source.toolkit.fluxcd.io,scope=Namespaced
// +index:ref:name=Bucket,path=.spec.sourceRef,to=Bucket.source.toolkit.fluxcd.io,scope=Namespaced
// +index:ref:name=ExternalArtifact,path=.spec.sourceRef,to=ExternalArtifact.source.toolkit.fluxcd.io,scope=Namespaced
// +index:ref:name=ConfigMap,path=.spec.kubeConfig.configMapRef,to=ConfigMap
// +index:ref:name=ConfigMap,path=.spec.postBuild.substituteFrom[*],to=ConfigMap
// +index:ref:name=Secret,path=.spec.decryption.secretRef,to=Secret
// +index:ref:name=Secret,path=.spec.kubeConfig.secretRef,to=Secret
// +index:ref:name=Secret,path=.spec.postBuild.substituteFrom[*],to=Secret
type Kustomization = kustomizev1.Kustomization
