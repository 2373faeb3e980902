// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import "io"

// Options choose how a server is started. The zero value starts a server for
// custom resources only.
type Options struct {
	// Kubernetes starts a whole kube-apiserver, with built-in types and RBAC.
	// Start takes it from the directory that the environment variable
	// KUBEBUILDER_ASSETS names, and builds it if that is not set.
	Kubernetes bool
	// CRDs are files and directories of custom resource definitions, which are
	// applied and served when Start returns. See [Endpoint.ApplyCRDs].
	CRDs []string
	// Users are users beside the administrator; see [Endpoint.As].
	Users []User
	// Flags are flags for the API server, such as
	// "--feature-gates=ShardedListAndWatch=true" or "--min-request-timeout=5".
	// They come after our own.
	Flags []string
	// Log receives what etcd and the API server write; nil discards it, but for
	// a few lines that errors quote.
	Log io.Writer
	// Progress receives lines for the person who waits if building the server
	// takes longer than a moment; nil discards them.
	Progress io.Writer
	// Binary is the path of the command apiserver-child, already built. If
	// empty, Start builds it.
	Binary string
}
