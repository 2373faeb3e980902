// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package proxy stands between the clients of the example API server and the
// server, so that clients see one address and one certificate authority for as
// long as the proxy lives.
//
// A restart of the server changes both behind it. The proxy ends the connection
// of the client and opens one of its own to the current backend, which
// [Proxy.SetBackend] changes. Without a backend it answers 503 Service
// Unavailable with a Kubernetes Status, as a load balancer does. The server, not
// the proxy, checks the tokens of clients.
//
// Every byte of a response is passed on as soon as it arrives, so a watch event
// is never held back in a buffer. The proxy listens twice: with TLS, where
// clients agree on HTTP/2 or HTTP/1.1, and in plain text, where HTTP/1.1 sends
// a watch in chunks.
//
// For tests of what happens when a network fails, [Proxy.Cut] breaks the live
// connections, without the courtesy of a TLS or HTTP/2 goodbye, and
// [Proxy.Refuse] resets each new one. [Proxy.Inflict] has single clients, known
// by their User-Agent, suffer from one of the faults of package apiserver.
package proxy
