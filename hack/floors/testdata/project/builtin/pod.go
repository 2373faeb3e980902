// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package builtin indexes built-in types.
package builtin

import corev1 "k8s.io/api/core/v1"

// Pod is found by its node.
//
// +index:name=Node,path=.spec.nodeName
type Pod = corev1.Pod
