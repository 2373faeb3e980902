// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package informers makes factories of client-go whose informers are those of package clientgo. A program
// changes the line that makes its factory, and nothing else:
//
//	import "github.com/indexer-gen/indexer-gen/runtime/clientgo/informers"
//
//	factory := informers.NewSharedInformerFactory(client, 30*time.Second, informers.WithNamespace("shop"))
//
// The options have the names of client-go's.
//
// # API groups that client-go gained later
//
// The package knows the API groups of client-go 0.36, the oldest that it supports. The first informer of a group
// that client-go gained later, such as Lifecycle of 0.37, is client-go's unless [clientgo.InformerFor] or ForResource
// comes first. The factory then logs an error.
package informers
