// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package fleet is an API with an index for every kind of path.
// +groupName=fleet.example.com
// +versionName=v1alpha1
package fleet

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Phase is a named string.
type Phase string

// Level is a named number.
type Level int32

// Position is a struct that is a key as it is.
type Position struct {
	Rack string `json:"rack"`
	Slot int    `json:"slot"`
}

// Common is embedded.
type Common struct {
	// +index
	Team string `json:"team"`
}

// Optional is embedded by pointer.
type Optional struct {
	// +index
	Note string `json:"note"`
}

// Firmware is behind a pointer.
type Firmware struct {
	// +index:name=Firmware
	Version string `json:"version"`
}

// SecretRef names a Secret.
type SecretRef struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Disk is an element of a list.
type Disk struct {
	// +index:name=DiskID
	ID     types.UID            `json:"id"`
	Secret *SecretRef           `json:"secret"`
	Parts  []Partition          `json:"parts"`
	Pools  map[string]SecretRef `json:"pools"`
}

// Partition is an element of a list in a list.
type Partition struct {
	// +index:name=Mount
	Path string `json:"path"`
}

// DeviceSpec is the desired state.
type DeviceSpec struct {
	Common    `json:",inline"`
	*Optional `json:",inline"`

	// +index
	Site string `json:"site"`
	// +index
	Level *Level `json:"level"`
	// +index
	Enabled bool `json:"enabled"`
	// +index
	Port intstr.IntOrString `json:"port"`
	// +index
	Position *Position `json:"position"`
	// +index
	Address [4]byte `json:"address"`

	Firmware *Firmware `json:"firmware"`

	// +index
	Capabilities []string `json:"capabilities"`
	// +index
	Phases *[]*Phase `json:"phases"`

	Disks   []Disk           `json:"disks"`
	Spares  []*Disk2         `json:"spares"`
	Options map[string]*Opt  `json:"options"`
	Extra   *map[string]bool `json:"extra"`
}

// Disk2 is an element behind a pointer.
type Disk2 struct {
	// +index:name=Spare
	Serial string `json:"serial"`
}

// Opt is a value of a map, behind a pointer.
type Opt struct {
	// +index:name=Option
	Value string `json:"value"`
}

// DeviceStatus is the observed state.
type DeviceStatus struct {
	Phase Phase `json:"phase"`
}

// +index:name=SitePhase,paths={.spec.site,.status.phase}
// +index:name=DiskSecret,paths={.spec.disks[*].secret.namespace,.spec.disks[*].secret.name}
// +index:name=DiskAndCapability,paths={.spec.disks[*].id,.spec.capabilities}
// +index:name=App,path=.metadata.labels['app.kubernetes.io/name']
// +index:name=Name,path=.metadata.name
// +index:name=Urgent,path=.spec.options['urgent'].value
// +index:name=Debug,path=.spec.extra['debug']
// +index:name=Pool,path=.spec.disks[*].pools[*].name
// +index:owner

// Device is a machine.
type Device struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   DeviceSpec   `json:"spec,omitempty"`
	Status DeviceStatus `json:"status,omitempty"`
}

// DeviceList is a list of Devices.
type DeviceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Device `json:"items"`
}
