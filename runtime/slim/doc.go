// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package slim has metadata for types that hold only what their reader wants.
//
// A cache of 50,000 objects that is asked for five fields of each need not hold
// the other fifty. A type with those five decodes from the JSON of the whole
// object, for unknown fields are skipped in the text, and is listed, indexed and
// watched like any other:
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
//	pods := wire.Source[Pod](conn, corev1.SchemeGroupVersion.WithResource("pods"), "")
//
// indexer-gen writes listers and informers for slim types as for others: mark the
// type or a field of it, and say what the API server calls it. The group of Pods,
// Services and their like has no name:
//
//	// +groupName=
//	// +versionName=v1
//	// +kubebuilder:resource:path=pods
//	// +index:name=NodePhase,paths={.spec.nodeName,.status.phase}
//	type Pod struct {
//
// A metav1.ObjectMeta takes 248 bytes before there is anything in it, and a map
// of labels 340 more. [Meta] takes 64, and a label selector finds nothing by it;
// [Labeled] is Meta with labels.
//
// Slim objects are for reading: an update by one would delete all that it lacks. To
// write, get the object from the API server, or patch it. For a copy of what is cached,
// as GetCopy of a lister returns, the type needs a method DeepCopy() *Pod.
package slim
