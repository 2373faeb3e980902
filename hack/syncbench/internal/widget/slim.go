// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package widget

import "github.com/indexer-gen/indexer-gen/runtime/slim"

// Slim has five fields of a Widget, two of them its key, and the metadata that a cache
// needs of any object.
type Slim struct {
	slim.Meta `json:"metadata"`

	Spec   SlimSpec   `json:"spec"`
	Status SlimStatus `json:"status"`
}

// SlimSpec is what Slim has of a Spec.
type SlimSpec struct {
	NodeName string `json:"nodeName"`
	Replicas int32  `json:"replicas"`
}

// SlimStatus is what Slim has of a Status.
type SlimStatus struct {
	Phase string `json:"phase"`
}
