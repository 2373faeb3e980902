// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package clash is an API whose names are taken: by Go, by the emitted file, by
// the packages that it imports, and by each other.
// +groupName=clash.example.com
// +versionName=v1
package clash

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/hack/golden/clash/types"
)

// The emitted file imports packages of these names.
var (
	store  = "taken"
	lister = store
	schema = lister
)

// ReaderSpec has fields that are called like what Go or the file has.
type ReaderSpec struct {
	// +index
	Type string `json:"type"`
	// +index
	Range string `json:"range"`
	// +index
	String string `json:"string"`
	// +index
	Append string `json:"append"`
	// +index
	Iter string `json:"iter"`
	// +index
	L string `json:"l"`
	// +index
	Dst []string `json:"dst"`
	// +index
	Reader string `json:"reader"`
	// +index
	Namespace types.Namespace `json:"namespace"`
	// +index
	ÄÖÜ string `json:"äöü"`

	Rs []Nested `json:"rs"`
	Is []Nested `json:"is"`
}

// Nested has a loop around it.
type Nested struct {
	Type string   `json:"type"`
	Dsts []string `json:"dsts"`
}

// +index:name=Nested,paths={.spec.rs[*].type,.spec.is[*].type,.spec.rs[*].dsts}
// +index:name=Names,paths={.metadata.name,.spec.reader,.spec.type,.spec.rs[*].type}

// Reader is called like a type of the runtime.
type Reader struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ReaderSpec `json:"spec"`
}

// +index:name=Is,path=.spec.is[*].type

// Item has an index function whose parameter is called like a counter.
type Item struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ItemSpec `json:"spec"`
}

// ItemSpec has a list of structs.
type ItemSpec struct {
	Is []Nested `json:"is"`
}

// +index:name=Interface,path=.spec.interfaces[*].type
// +index:name=Rule,paths={.spec.rules[*].type,.spec.default.rules[*].type}
// +index:name=Cell,path=.spec.cells[*][*]
// +index:name=Deep,path=.spec.deep[*][*][*]
// +index:name=Apps,paths={.metadata.labels['app'],.metadata.annotations['app'],.spec.ids['node-id']}

// Host has names that are easily spelled badly.
type Host struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              HostSpec `json:"spec"`
}

// HostSpec has initialisms, keywords, lists of one name, and maps in maps.
type HostSpec struct {
	// +index
	URLs []string `json:"urls"`
	// +index
	IPv4 string            `json:"ipv4"`
	IDs  map[string]string `json:"ids"`

	Interfaces []Nested                                `json:"interfaces"`
	Rules      []Nested                                `json:"rules"`
	Default    HostDefault                             `json:"default"`
	Cells      map[string][]string                     `json:"cells"`
	Deep       map[string]map[string]map[string]string `json:"deep"`
}

// HostDefault has a list of the same name.
type HostDefault struct {
	Rules []Nested `json:"rules"`
}

// +index:generate

// Store is called like a type of the runtime.
type Store struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +index:generate
// +kubebuilder:resource:path=pointsofend

// Endpoint has the plural that Endpoints has too.
type Endpoint struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +index:generate

// Endpoints is its own plural.
type Endpoints struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}

// +index:generate

// Informer gives the factory its own method.
type Informer struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
}
