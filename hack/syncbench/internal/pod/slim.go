// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package pod

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/indexer-gen/indexer-gen/runtime/slim"
)

// Slim has two fields of a Pod and the metadata that a cache needs.
type Slim struct {
	slim.Meta `json:"metadata"`

	Spec   SlimSpec   `json:"spec"`
	Status SlimStatus `json:"status"`
}

// SlimSpec is what Slim has of a PodSpec.
type SlimSpec struct {
	NodeName string `json:"nodeName"`
}

// SlimStatus is what Slim has of a PodStatus.
type SlimStatus struct {
	Phase corev1.PodPhase `json:"phase"`
}
