// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package apiserver gives examples and tests a real Kubernetes API server for
// custom resources, in a child process on loopback.
//
// # What it is
//
// The child runs etcd and the API server of k8s.io/apiextensions-apiserver,
// which serves CustomResourceDefinitions and their objects just as a cluster
// does: validation, server-side apply, status, pagination, watch caches,
// bookmarks and streamed lists. It knows no built-in types, so no Pods, no
// Secrets, no RBAC, and any namespace exists. It listens on loopback, wants a
// token, and keeps its data in a temporary directory without syncing to disk.
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
// Package restconfig, beside this one, turns the [Endpoint] of a server into a
// configuration for client-go; [Endpoint.Kubeconfig] is one for kubectl.
//
// # Why a child process
//
// The server is some 1,200 packages, which take minutes to compile, and twice
// that with the race detector. This package imports none of them. It builds
// the command apiserver-child by go build, always without race detector and
// coverage, so a test pays for the server once on a machine, and a test under
// -race is as quick to build as its own code. A warm start takes about half a
// second, of which most is go build finding that nothing has changed. The child has its own feature gates, its own logs, and a memory that
// does not disturb measurements. Package inprocess runs the same server within
// the calling process, if you prefer to pay for that.
//
// The child ends with its parent, even if that is killed: it reads commands
// from its standard input and goes when that ends.
//
// # Making things go wrong
//
// Clients do not talk to the server but to a proxy in front of it, whose
// address, token and certificate stay the same while the server comes and goes:
//
//   - [Server.StopServer], [Server.StartServer] and [Server.RestartServer] make
//     downtime. Watches end cleanly, requests are answered with 503 Service
//     Unavailable, and after it a watch from an earlier resource version gets
//     410 Gone, because the watch cache starts anew.
//   - [Server.CutConnections] breaks connections in the middle of a response.
//   - [Server.RefuseConnections] makes new ones fail.
//   - [Server.Inflict] has single clients, known by their User-Agent, suffer
//     from one of several faults: stalls, broken or misleading answers.
//   - [Server.CompactData] compacts etcd.
//   - [Server.SaveData] and [Server.RestoreData] restore etcd from a backup,
//     whereupon resource versions go backward.
//
// The proxy passes on every byte at once. It speaks HTTP/2 and HTTP/1.1 at
// [Endpoint.URL] and chunked HTTP/1.1 without TLS at [Endpoint.PlainURL].
package apiserver
