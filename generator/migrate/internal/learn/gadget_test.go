// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

// The types of this file are those of the objects in TestModelAgreesWithEmittedCode, which copies the file.

type Target struct {
	Kind      *string `json:"kind,omitempty"`
	Group     *string `json:"group,omitempty"`
	Namespace *string `json:"namespace,omitempty"`
	Name      string  `json:"name"`
}

type Plain struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

type Listener struct {
	Mode    string   `json:"mode"`
	Ready   *bool    `json:"ready,omitempty"`
	Port    int32    `json:"port"`
	Names   []string `json:"names"`
	Targets []Target `json:"targets"`
}

type GadgetSpec struct {
	Node      string              `json:"node"`
	Other     string              `json:"other"`
	Class     *string             `json:"class,omitempty"`
	Paused    bool                `json:"paused"`
	Enabled   *bool               `json:"enabled,omitempty"`
	Count     int32               `json:"count"`
	Limit     *int32              `json:"limit,omitempty"`
	Names     []string            `json:"names"`
	Plain     Plain               `json:"plain"`
	Target    *Target             `json:"target,omitempty"`
	Plains    []Plain             `json:"plains"`
	Targets   []Target            `json:"targets"`
	Listeners []Listener          `json:"listeners"`
	ByZone    map[string]Listener `json:"byZone"`
}

type Gadget struct {
	ObjectMeta `json:"metadata"`

	Spec GadgetSpec `json:"spec"`
}
