// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package builtin has the indexes that controllers write by hand again and again
// over the types that Kubernetes itself serves: Pods by node, by phase, by IP, by
// the claims, Secrets and ConfigMaps that they use; Events by what they are about;
// EndpointSlices by Service; Jobs by owner; RoleBindings by subject, and so on. It
// is a library, made by indexer-gen from the markers in the other files, and needs
// k8s.io/api, apimachinery and the runtime.
//
//	informers := builtin.NewInformers(builtin.Sources{
//		Pods: builtin.PodSource(clientset.CoreV1().Pods("")),
//		Jobs: builtin.JobSource(clientset.BatchV1().Jobs("")),
//	})
//	pods := informers.Pods().Lister()
//	informers.Start(ctx)
//	...
//	for p := range pods.BySecret(types.NamespacedName{Namespace: "shop", Name: "tls"}) {
//
// Only what is asked for is read: a type whose accessor is never called costs
// nothing, and needs no source and no permission. Without client-go, HTTPSources
// gives all sources from one connection.
//
// Every index costs memory and, for each write, time. A controller that asks two of
// these questions is better served by two markers of its own: copy the declarations
// of the types that it needs into a package of its own, leave out the markers whose
// methods it does not call, and run indexer-gen there. The declarations are aliases,
// so that *builtin.Pod is *corev1.Pod.
//
// What every index is called, of what it is and how it is asked is printed by
//
//	indexer-gen explain -format markdown .
package builtin

//go:generate go tool indexer-gen -header ../../hack/header.go.txt .
