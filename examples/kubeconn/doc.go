// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package kubeconn reaches a cluster as kubectl and controllers do: it makes a
// wire.Conn of a kubeconfig, or of what a Pod finds in its cluster, by client-go.
//
// Package wire needs an http.Client and an address, and nothing of client-go. So
// this is no part of the runtime: copy the few lines of [FromConfig] if client-go
// is among your dependencies anyway. Certificates, tokens and their rotation,
// exec plug-ins, impersonation, proxies and the health checks of HTTP/2 are those
// of client-go then; the tests have each of them.
package kubeconn
