// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package targets is one API with code for three caches: native, client-go and controller-runtime.
// +groupName=targets.example.com
// +versionName=v1
package targets

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

//go:generate go run github.com/indexer-gen/indexer-gen/cmd/indexer-gen -target=native,client-go,controller-runtime -header=../../../hack/header.go.txt

// Phase is a named string.
type Phase string

// SecretRef names a Secret.
type SecretRef struct {
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
}

// GadgetSpec is the desired state.
type GadgetSpec struct {
	// +index
	Site string `json:"site"`
	// +index:unique=true
	Serial string `json:"serial"`
	// +index
	Level int32 `json:"level"`
	// +index
	Spare *bool `json:"spare,omitempty"`
	// +index
	Size resource.Quantity `json:"size"`
	// +index
	Since *metav1.Time `json:"since,omitempty"`
	// +index
	Every metav1.Duration `json:"every,omitempty"`
	// +index
	Tags []string `json:"tags,omitempty"`

	Secrets []SecretRef `json:"secrets,omitempty"`
	Zone    string      `json:"zone"`
	Rack    string      `json:"rack"`
}

// GadgetStatus is the observed state.
type GadgetStatus struct {
	Phase      Phase              `json:"phase,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// words lists the words of the zone.
// +index:func:name=Word
func words(g *Gadget) []string { return strings.Fields(g.Spec.Zone) }

// backups lists the keys of the copies of the Secrets.
// +index:func:name=Backup
func backups(g *Gadget) (keys []types.NamespacedName) {
	for _, secret := range g.Spec.Secrets {
		keys = append(keys, types.NamespacedName{Namespace: "backup", Name: secret.Name})
	}
	return keys
}

// +index:labels
// +index:owner
// +index:name=SitePhase,paths={.spec.site,.status.phase}
// +index:name=Place,paths={.spec.site,.spec.zone,.spec.rack}
// +index:name=Team,path=.metadata.annotations['example.com/team']
// +index:name=Ready,path=.status.conditions[?(@.type=="Ready")].status
// +index:ref:name=Secret,path=.spec.secrets[*].name,namespacePath=.spec.secrets[*].namespace
// +kubebuilder:selectablefield:JSONPath=.spec.rack

// Gadget is a root type.
type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   GadgetSpec   `json:"spec,omitempty"`
	Status GadgetStatus `json:"status,omitempty"`
}

// GadgetList is a list of Gadgets.
type GadgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Gadget `json:"items"`
}
