// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import corev1 "k8s.io/api/core/v1"

//go:generate go tool indexer-gen -header ../../header.go.txt .

// Pod is indexed by its node.
//
// +groupName=
// +versionName=v1
// +index:name=Node,path=.spec.nodeName
type Pod = corev1.Pod
