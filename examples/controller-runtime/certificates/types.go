// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package certificates is an operator whose users may refer to any Secret of the cluster: Ingresses name the Secrets
// with their certificates. Its cache holds only the Secrets that Ingresses name (ctrlread.HoldRead).
package certificates

import networkingv1 "k8s.io/api/networking/v1"

//go:generate go run github.com/indexer-gen/indexer-gen/cmd/indexer-gen -target=controller-runtime -header=../../../hack/header.go.txt

// Ingress is a type of Kubernetes with an index of the Secrets that it refers to.
//
// +index:ref:name=Secret,path=.spec.tls[*].secretName,to=Secret
type Ingress = networkingv1.Ingress
