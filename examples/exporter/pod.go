// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/indexer-gen/indexer-gen/runtime/slim"
)

// Pod has two fields of a Pod. The decoder skips the others.
//
// +kubebuilder:resource:path=pods
// +index:name=NodePhase,paths={.spec.nodeName,.status.phase}
type Pod struct {
	slim.Meta `json:"metadata"`

	Spec struct {
		NodeName string `json:"nodeName,omitempty"`
	} `json:"spec"`
	Status struct {
		Phase corev1.PodPhase `json:"phase,omitempty"`
	} `json:"status"`
}
