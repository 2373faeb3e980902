// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package widget holds the custom resource that package syncbench measures
// with: of about 2.5 KB in JSON, half of it managedFields.
package widget

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Resource is that of Widget, GroupVersion its group and version.
var (
	GroupVersion = schema.GroupVersion{Group: "bench.example.com", Version: "v1"}
	Resource     = GroupVersion.WithResource("widgets")
)

// Widget looks much like a Pod: some strings that many objects share, some
// that are its own, lists of structs, conditions.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   Spec   `json:"spec,omitempty"`
	Status Status `json:"status,omitempty"`
}

// Spec is the desired state of a Widget.
type Spec struct {
	NodeName string   `json:"nodeName,omitempty"`
	Replicas int32    `json:"replicas,omitempty"`
	Image    string   `json:"image,omitempty"`
	Args     []string `json:"args,omitempty"`
	Env      []Var    `json:"env,omitempty"`
}

// Var is a variable of the environment.
type Var struct {
	Name  string `json:"name"`
	Value string `json:"value,omitempty"`
}

// Status is the observed state of a Widget.
type Status struct {
	Phase      string             `json:"phase,omitempty"`
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// WidgetList is a list of Widgets.
type WidgetList struct { //nolint:revive // what Kubernetes calls it
	metav1.TypeMeta `         json:",inline"`
	metav1.ListMeta `         json:"metadata,omitempty"`
	Items           []Widget `json:"items"`
}

// DeepCopyObject implements runtime.Object. Nothing here calls it.
func (w *Widget) DeepCopyObject() runtime.Object { c := *w; return &c }

// DeepCopyObject implements runtime.Object. Nothing here calls it.
func (l *WidgetList) DeepCopyObject() runtime.Object { c := *l; return &c }

// Namespaces is over how many namespaces Make spreads objects.
const Namespaces = 200

// Key returns namespace and name of the i-th object.
func Key(i int) (namespace, name string) {
	return fmt.Sprintf("ns-%d", i%Namespaces), fmt.Sprintf("w-%d", i)
}

// Make returns the JSON of the i-th object, as a client would create it.
func Make(i int) []byte {
	namespace, name := Key(i)
	w := Widget{
		TypeMeta: metav1.TypeMeta{APIVersion: GroupVersion.String(), Kind: "Widget"},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name,
			Labels: map[string]string{"app": fmt.Sprintf("app-%d", i%500), "tier": "backend"},
			Annotations: map[string]string{
				"bench.example.com/config": fmt.Sprintf(
					"%x",
					sha256.Sum256(strconv.AppendInt(nil, int64(i%500), 10)),
				),
			},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: "apps/v1", Kind: "ReplicaSet", Name: fmt.Sprintf("app-%d-5d4f8c7b9", i%5000),
				UID: types.UID(
					fmt.Sprintf("6ba7b810-9dad-11d1-80b4-%012d", i%5000),
				), Controller: new(true), BlockOwnerDeletion: new(true),
			}},
		},
		Spec: Spec{
			NodeName: fmt.Sprintf("node-%d", i%1000), Replicas: int32(i % 10),
			Image: "registry.example/team/app:v1.2.3", Args: []string{"--a", "--b=c", "--d"},
		},
		Status: Status{Phase: "Running", Conditions: []metav1.Condition{{
			Type: "Ready", Status: "True", Reason: "AllGood", Message: "everything is fine here",
			LastTransitionTime: metav1.Unix(1767225600, 0),
		}}},
	}
	for e := range 10 {
		w.Spec.Env = append(
			w.Spec.Env,
			Var{Name: fmt.Sprintf("VAR_%d", e), Value: fmt.Sprintf("some-value-%d-%d", i, e)},
		)
	}
	text, err := json.Marshal(&w)
	if err != nil {
		panic(err) // nothing above can fail to be marshaled
	}
	return text
}
