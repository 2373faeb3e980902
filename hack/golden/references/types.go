// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package references is an API with references of every shape, unions and filters.
// +groupName=references.example.com
// +versionName=v1
package references

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Name is a named string.
type Name string

// LocalRef has only a name.
type LocalRef struct {
	Name string `json:"name"`
}

// Ref has a namespace.
type Ref struct {
	Namespace *Name `json:"namespace,omitempty"`
	Name      Name  `json:"name"`
}

// ParentRef refers as the Gateway API does.
type ParentRef struct {
	Group     *Name `json:"group,omitempty"`
	Kind      *Name `json:"kind,omitempty"`
	Namespace *Name `json:"namespace,omitempty"`
	Name      Name  `json:"name"`
	Port      int32 `json:"port,omitempty"`
}

// TypedRef refers as Kubernetes does.
type TypedRef struct {
	APIGroup  *string `json:"apiGroup,omitempty"`
	Kind      string  `json:"kind"`
	Namespace string  `json:"namespace,omitempty"`
	Name      string  `json:"name"`
}

// VersionedRef refers as Flux and Crossplane do.
type VersionedRef struct {
	APIVersion Name    `json:"apiVersion,omitempty"`
	Kind       string  `json:"kind"`
	Namespace  string  `json:"namespace,omitempty"`
	Name       *string `json:"name,omitempty"`
}

// InlineRef has its fields in embedded structs.
type InlineRef struct {
	*ParentRef `json:",inline"`
	Weight     int32 `json:"weight,omitempty"`
}

// RouteSpec is the desired state of a Route.
type RouteSpec struct {
	Class string `json:"class,omitempty"`
	// +index:ref:name=Proxy
	Proxy string `json:"proxy,omitempty"`
	// +index:ref:to=ConfigMap
	Settings *LocalRef           `json:"settings,omitempty"`
	Parents  []ParentRef         `json:"parents,omitempty"`
	Backends []*TypedRef         `json:"backends,omitempty"`
	Mirrors  map[string]TypedRef `json:"mirrors,omitempty"`
	Source   *VersionedRef       `json:"source,omitempty"`
	Inline   []InlineRef         `json:"inline,omitempty"`
	Auth     Auth                `json:"auth"`
	Fallback *Auth               `json:"fallback,omitempty"`

	Workload *Workload `json:"workload,omitempty"`

	Listeners []Listener `json:"listeners,omitempty"`
	Timeout   *int32     `json:"timeout,omitempty"`
	Paused    bool       `json:"paused,omitempty"`
	Host      *string    `json:"host,omitempty"`
}

// Workload has optional structs in optional structs.
type Workload struct {
	Labels   map[string]string `json:"labels,omitempty"`
	Template *Template         `json:"template,omitempty"`
}

// Template is below a Workload.
type Template struct {
	Pull    []LocalRef `json:"pull,omitempty"`
	Token   *LocalRef  `json:"token,omitempty"`
	Volumes []Volume   `json:"volumes,omitempty"`
	Config  string     `json:"config,omitempty"`
	Cert    *Ref       `json:"cert,omitempty"`
	Key     *Ref       `json:"key,omitempty"`
}

// Volume is below a Template.
type Volume struct {
	Secret *LocalRef `json:"secret,omitempty"`
}

// Auth is in a RouteSpec twice.
type Auth struct {
	// +index:ref:name=Credentials
	Credentials Ref    `json:"credentials"`
	Token       string `json:"token,omitempty"`
}

// Listener is an element of a list.
type Listener struct {
	Name  string `json:"name"`
	TLS   *TLS   `json:"tls,omitempty"`
	Ready *bool  `json:"ready,omitempty"`
	Main  bool   `json:"main,omitempty"`
}

// TLS is below a listener.
type TLS struct {
	Mode         *Name       `json:"mode,omitempty"`
	Certificates []ParentRef `json:"certificates,omitempty"`
	Options      Options     `json:"options"`
}

// Options are below TLS.
type Options struct {
	Strict bool `json:"strict,omitempty"`
}

// Route refers to other objects.
// +index:ref:name=Gateway,path=.spec.parents,to=Gateway.gateway.networking.k8s.io,scope=Namespaced
// +index:ref:name=Class,path=.spec.class,to=RouteClass.references.example.com
// +index:ref:name=ParentClass,path=.spec.parents[*],to=RouteClass.references.example.com
// +index:ref:name=Service,path=.spec.backends[*],to=Service
// +index:ref:name=Service,path=.spec.mirrors[*],to=Service
// +index:ref:name=Visible,path=.spec.backends[?(@.name!="hidden")],to=Service
// +index:ref:name=Import,path=.spec.backends,to=ServiceImport.multicluster.x-k8s.io,scope=Namespaced
// +index:ref:name=Repository,path=.spec.source,to=GitRepository.source.toolkit.fluxcd.io,scope=Namespaced,unique=true
// +index:ref:name=SourceSecret,path=.spec.source,to=Secret
// +index:ref:name=Inline,path=.spec.inline,to=Gateway.gateway.networking.k8s.io,scope=Namespaced
// +index:ref:name=Certificate,path=.spec.listeners[?(@.tls.mode=="Terminate")].tls.certificates[*],to=Secret
// +index:ref:name=Annotated,path=.metadata.annotations['example.com/secret'],to=Secret
// +index:ref:name=Node,path=.metadata.labels['node'],scope=Cluster
// +index:name=Word,path=.spec.class
// +index:name=Word,path=.spec.host,omitempty=true
// +index:name=Word,path=.metadata.labels['word'],omitempty=true
// +index:name=Word,path=.spec.listeners[?(@.ready==true)].name
// +index:name=Word,path=.spec.listeners[?(@.main==false)].name
// +index:name=Strict,path=.spec.listeners[?(@.tls.options.strict==true)].name,ordered=true
// +index:name=Strict,path=.spec.listeners[?(@.main==true)].name,ordered=true
// +index:name=Timeout,path=.spec.timeout,omitempty=true
// +index:name=Paused,path=.spec.paused,omitempty=true
// +index:name=Held,path=.spec.class,if={.spec.paused==true,.spec.host!="a",!.spec.timeout}
// +index:name=Held,path=.spec.listeners[?(@.tls.mode!="Pass" && @.ready==true)].name,if=.metadata.labels['word']=="held"
// +index:ref:name=HeldProxy,path=.spec.proxy,if=.spec.listeners
// +index:name=Shown,path=.spec.host,else=.metadata.name
// +index:name=Mode,path=.spec.listeners[*].tls.mode,else="Terminate"
// +index:name=Certified,path=.spec.listeners[?(@.main==true)].tls.certificates[*].name,else=.spec.listeners[?(@.main==true)].tls.mode
// +index:name=Wait,path=.spec.timeout,if=.spec.paused==false,else=30
// +index:name=Wait,path=.spec.parents[*].port,else=-1
// +index:name=Either,path=.spec.host,else=.spec.class
// +index:name=Either,path=.spec.listeners[*].name,else=.metadata.annotations['name']
// +index:ref:name=Handler,path=.spec.proxy,else="default",to=ServiceAccount
// +index:ref:name=Fallback,path=.spec.class,to=RouteClass.references.example.com,else=.metadata.labels['class']
// +index:name=Created,path=.metadata.creationTimestamp
// +index:name=Created,path=.metadata.deletionTimestamp
// +index:ref:name=Mounted,path=.spec.workload.template.pull[*].name,to=Secret
// +index:ref:name=Mounted,path=.spec.workload.template.token.name,to=Secret
// +index:ref:name=Mounted,path=.spec.workload.template.volumes[*].secret.name,to=Secret
// +index:ref:name=Mounted,path=.spec.workload.template.config,to=Secret
// +index:ref:name=Mounted,path=.spec.workload.labels['secret'],to=Secret
// +index:ref:name=Pair,path=.spec.workload.template.cert,to=Secret
// +index:ref:name=Pair,path=.spec.workload.template.key,to=Secret
// +index:name=Label,path=.spec.workload.labels['a'],if=.spec.paused==true,omitempty=true
// +index:name=Label,path=.spec.workload.labels['b'],if=.spec.paused==true
// +index:name=Label,path=.spec.workload.template.config,if=.spec.paused==true,else="none"
type Route struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec RouteSpec `json:"spec,omitempty"`
}

// RouteList is a list of Routes.
type RouteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Route `json:"items"`
}

// +index:func:name=Part
func classParts(r *Route) []string { return strings.Split(r.Spec.Class, "-") }

// +index:func:name=Part
func token(r *Route) string { return r.Spec.Auth.Token }

// RouteClass is cluster-scoped, and refers to a namespaced object.
// +kubebuilder:resource:scope=Cluster
// +index:ref:name=Secret,path=.spec.credentials,to=Secret
// +index:ref:name=Parent,path=.spec.parent,to=RouteClass.references.example.com,unique=true
// +index:ref:name=Config,path=.spec.config,to=ConfigMap
type RouteClass struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec RouteClassSpec `json:"spec,omitempty"`
}

// RouteClassList is a list of RouteClasses.
type RouteClassList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []RouteClass `json:"items"`
}

// RouteClassSpec is the desired state of a RouteClass.
type RouteClassSpec struct {
	Credentials Ref    `json:"credentials"`
	Parent      string `json:"parent,omitempty"`
	Config      string `json:"config,omitempty"`
}
