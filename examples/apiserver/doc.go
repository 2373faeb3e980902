// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package apiserver runs a real Kubernetes API server on loopback, in a child
// process, for examples and tests.
//
// # Two servers
//
// By default the child runs etcd and the API server of
// k8s.io/apiextensions-apiserver. It serves CustomResourceDefinitions and their
// objects as a cluster does: validation, server-side apply, status, pagination,
// watch caches, bookmarks, streamed lists and discovery. It has no built-in
// types, and any namespace exists.
//
// With [Options.Kubernetes] the child runs kube-apiserver beside it instead:
// built-in types, RBAC, admission and ServiceAccount tokens. No controller
// runs: nothing schedules Pods, empties a Namespace that is being deleted, or
// fills the aggregated ClusterRoles admin, edit and view. It has about 250
// ClusterIPs: delete Services that a test no longer needs, or make them headless.
// It takes 360 MB of memory, and the server for custom resources 80 MB.
//
// Both listen on loopback, require a token, and keep their data in a temporary
// directory without syncing to disk. Everything below holds for both.
//
//	server, err := apiserver.Start(ctx, apiserver.Options{
//		CRDs:     []string{"config/crd"},
//		Progress: os.Stderr,
//	})
//	if err != nil {
//		return err
//	}
//	defer server.Close()
//	client := server.HTTPClient()
//	res, err := client.Get(server.URL + "/apis/example.dev/v1/gadgets")
//
// Package restconfig turns the [Endpoint] of a server into a configuration for
// client-go. [Endpoint.Kubeconfig] is one for kubectl. The command in
// cmd/apiserver runs either server for people.
//
// # Users
//
// The token of the server's Endpoint belongs to an administrator.
// [Options.Users] adds users, and [Endpoint.As] returns their endpoints. The
// whole server grants them what RBAC grants; the server for custom resources
// forbids them everything unless they are in the group system:masters.
//
// # Builds
//
// The server for custom resources is some 1,200 packages, which take minutes to
// compile, and twice that with the race detector. This package imports none of
// them. It builds the command apiserver-child by go build, always without race
// detector and coverage, so a machine pays for it once. A warm start takes about
// half a second. The child has its own feature gates, logs and memory. Built
// servers are in the directory indexer-gen of the user's cache directory: 90 MB for
// a clone, or 310 MB with kube-apiserver. They may be deleted. The next build
// removes those of clones that no longer exist.
//
// kube-apiserver is built in the same way from k8s.io/kubernetes, by the go.mod
// in the directory kube. If KUBEBUILDER_ASSETS names a directory, the
// kube-apiserver in it is used and none is built. [BuildAssets] builds such a
// directory, with etcd and kubectl, for the envtest package of
// controller-runtime.
//
// The child ends with its parent, even if the parent is killed: it reads
// commands from its standard input and exits when that ends.
//
// # Faults
//
// Clients talk to a proxy in front of the server. Its address and certificate
// stay the same while the server comes and goes:
//
//   - [Server.StopServer], [Server.StartServer] and [Server.RestartServer] make
//     downtime. Watches end cleanly, and requests are answered with 503 Service
//     Unavailable. Afterward a watch from an earlier resource version gets 410
//     Gone, because the watch cache starts anew.
//   - [Server.CutConnections] breaks connections in the middle of a response.
//   - [Server.RefuseConnections] makes new ones fail.
//   - [Server.Inflict] gives single clients, selected by User-Agent, one of
//     several faults: stalls, broken or misleading answers.
//   - [Server.CompactData] compacts etcd.
//   - [Server.SaveData] and [Server.RestoreData] restore etcd from a backup,
//     so that resource versions go backward.
//
// The proxy passes on every byte at once. It speaks HTTP/2 and HTTP/1.1 at
// [Endpoint.URL] and chunked HTTP/1.1 without TLS at [Endpoint.PlainURL].
// If the server aborts a request, the proxy answers 503 and says so.
package apiserver
