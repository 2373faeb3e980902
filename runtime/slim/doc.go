// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package slim has object metadata for slim types, which have only the fields that you read.
//
// If you read five fields of 50,000 objects, the cache need not contain the other fifty fields. A slim
// type decodes from the whole object, and the decoder skips unknown fields. List, index and watch it
// like any other type:
//
//	type Pod struct {
//		slim.Meta `json:"metadata"`
//
//		Spec struct {
//			NodeName string `json:"nodeName,omitempty"`
//		} `json:"spec"`
//		Status struct {
//			Phase corev1.PodPhase `json:"phase,omitempty"`
//		} `json:"status"`
//	}
//
//	pods := wire.Source[*Pod](conn, corev1.SchemeGroupVersion.WithResource("pods"),
//		wire.ProtobufOf[corev1.Pod]())
//
// With wire.ProtobufOf the server sends protobuf, as for a corev1.Pod, and without it JSON. Objects of
// custom resources are always JSON.
//
// indexer-gen generates listers and informers for slim types as for others. Mark the type
// or one of its fields, and state its group, version and resource. The core group, which has
// Pods and Services, has an empty name:
//
//	// +groupName=
//	// +versionName=v1
//	// +kubebuilder:resource:path=pods
//	// +index:name=NodePhase,paths={.spec.nodeName,.status.phase}
//	type Pod struct {
//
// An empty metav1.ObjectMeta takes 248 bytes, and a map of labels takes 340 more. [Meta]
// takes 64 bytes and has no labels, so no label selector matches it. [Labeled] is Meta with
// labels, and [Annotated] has annotations, too.
//
// A slim type can also be converted from its whole type, which a fake client has, with source.Map and
// [MetaOf]. A type of your own needs no Meta then, only the accessors of a metav1.Object.
//
// Never update an object with a slim one: the missing fields would be erased. Get the whole
// object from the API server, or patch it. GetCopy of a lister needs a method DeepCopy() *Pod.
package slim
