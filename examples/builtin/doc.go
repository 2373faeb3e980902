// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package builtin indexes the types of Kubernetes itself by what controllers often look
// up: Pods by node, phase, IP, claim, Secret and ConfigMap; Events by object; EndpointSlices
// by Service; Jobs by owner; RoleBindings by subject. indexer-gen generates the library
// from the markers in the other files. It depends on k8s.io/api, apimachinery and the
// runtime.
//
//	informers := builtin.NewInformers(builtin.InformerSources{
//		Pods: builtin.NewPodSource(clientset.CoreV1().Pods("")),
//		Jobs: builtin.NewJobSource(clientset.BatchV1().Jobs("")),
//	})
//	pods := informers.Pods().Lister()
//	informers.Start(ctx)
//	...
//	for p := range pods.BySecret(types.NamespacedName{Namespace: "shop", Name: "tls"}) {
//
// A type whose accessor is never called costs nothing, and needs no source and no
// permission. Without client-go, use wire.Source[*builtin.Pod](conn, builtin.PodsResource).
//
// Every index costs memory, and time for each write. If a controller needs only a few of
// these indexes, copy the declarations of its types into a package of its own, keep only
// the markers that it needs, and run indexer-gen there. The declarations are aliases, so
// *builtin.Pod is *corev1.Pod.
//
// To list the indexes and their methods, run
//
//	indexer-gen explain .
package builtin

//go:generate go tool indexer-gen -header ../../hack/header.go.txt .
