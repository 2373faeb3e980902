// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package kinds is an API with an index of every kind.
// +groupName=kinds.example.com
// +versionName=v1
package kinds

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Tier is a named string.
type Tier string

// MachineSpec is the desired state.
type MachineSpec struct {
	// +index:unique=true
	Serial string `json:"serial"`
	// +index:ordered=true
	Weight int32 `json:"weight"`
	// +index:name=Slot,unique=true,ordered=true
	Slot *int64 `json:"slot"`
	// +index:ordered=true,name=Mark
	Marks []int  `json:"marks"`
	Tier  Tier   `json:"tier"`
	Zone  string `json:"zone"`

	Image  string     `json:"image"`
	Disks  []Disk     `json:"disks"`
	Config *ConfigRef `json:"config"`
	Pulls  []string   `json:"pulls"`

	Compare string `json:"compare"`
}

// Disk is an element of a list.
type Disk struct {
	Pool   *string    `json:"pool,omitempty"`
	Secret *SecretRef `json:"secret,omitempty"`
}

// ObjectName is a named string.
type ObjectName string

// SecretRef names a Secret, by default in the referring object's namespace.
type SecretRef struct {
	Namespace *ObjectName `json:"namespace,omitempty"`
	Name      ObjectName  `json:"name"`
}

// ConfigRef names a ConfigMap.
type ConfigRef struct {
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// Class says how heavy a machine is.
// +index:func:name=Class
func Class(m *Machine) string {
	if m.Spec.Weight > 10 {
		return "heavy"
	}
	return "light"
}

// +index:func:name=Word
func words(m *Machine) []Tier {
	var out []Tier
	for word := range strings.FieldsSeq(string(m.Spec.Tier)) {
		out = append(out, Tier(word))
	}
	return out
}

// MachineStatus is the observed state.
type MachineStatus struct {
	Conditions []metav1.Condition `json:"conditions,omitempty"`
	Checks     []*Check           `json:"checks,omitempty"`
}

// Check has a field that filters ask behind embedded pointers.
type Check struct {
	*Probe `json:",inline"`
	Result string `json:"result"`
}

// Probe is embedded by pointer, and embeds.
type Probe struct {
	*ProbeType `json:",inline"`
	Target     Tier `json:"target"`
}

// ProbeType is embedded by pointer.
type ProbeType struct {
	Type  Tier  `json:"type"`
	Group *Tier `json:"group,omitempty"`
}

// +index:labels
// +index:name=TierWeight,paths={.spec.tier,.spec.weight},ordered=true
// +index:name=ZoneSerial,paths={.spec.zone,.spec.serial},unique=true
// +index:name=Ready,path=.status.conditions[?(@.type=="Ready")].status
// +index:name=ReadyReason,paths={.status.conditions[?(@.type=="Ready")].status,.status.conditions[?(@.type=='Ready')].reason}
// +index:name=ReadySynced,paths={.status.conditions[?(@.type=="Ready")].status,.status.conditions[?(@.type=="Synced")].status}
// +index:name=DiskResult,path=.status.checks[?(@.type=="Disk")].result
// +index:name=DiskTarget,paths={.status.checks[?(@.type=="Disk")].target,.status.checks[?(@.type=="Disk")].result}
// +index:name=GroupTarget,path=.status.checks[?(@.group=="net")].target
// +index:name=NetDisk,path=.spec.disks[?(@.pool=="net")].pool
// +index:name=Target,path=.status.checks[?(@.target=="db")].type
// +index:ref:name=Image,path=.spec.image
// +index:ref:name=Pull,path=.spec.pulls,unique=true
// +index:name=CompareZone,paths={.spec.compare,.spec.zone},ordered=true
// +index:ref:name=Secret,path=.spec.disks[*].secret.name,namespacePath=.spec.disks[*].secret.namespace
// +index:ref:name=Config,path=.spec.config.name,namespacePath=.spec.config.namespace
// +kubebuilder:selectablefield:JSONPath=.spec.zone
// +kubebuilder:selectablefield:JSONPath=.spec.weight

// Machine is a root type.
type Machine struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   MachineSpec   `json:"spec,omitempty"`
	Status MachineStatus `json:"status,omitempty"`
}
