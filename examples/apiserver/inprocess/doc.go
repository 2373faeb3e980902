// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package inprocess runs a real Kubernetes API server, and the etcd that it
// needs, in the calling process.
//
// It is what the child process of package apiserver runs, and has the same
// methods; see there for what the server can do and how to make things go wrong
// with it. Choose this package if one process is worth more to you than a quick
// build: it imports some 1,200 packages, which take minutes to compile for the
// first time. With the race detector they would take twice that, so the package
// is empty under -race; use package apiserver there.
//
//	server, err := inprocess.Start(ctx, inprocess.Options{CRDs: []string{"config/crd"}})
//	if err != nil {
//		return err
//	}
//	defer server.Close()
//	client := server.HTTPClient()
//
// Start starts three parts. First comes the proxy that clients talk to, whose
// address and certificate last. Then come etcd, on a socket in its data
// directory, and the API server, on a free port of loopback that is another one
// after each start. The API server for custom resources authenticates
// clients itself. It has no admission plug-ins and no priority and fairness, because
// all of those need built-in types. Options.KubeAPIServer replaces it by a
// kube-apiserver in a process beside this one.
//
// A process has one klog and one set of feature gates, and the API server uses
// both. Starting a server sends klog to Options.Log, or silences it, for
// client-go in the same process too; and feature gates among Options.Flags stay
// set. The API server leaves some goroutines behind when it stops, so leak
// detectors belong in tests that use package apiserver instead.
package inprocess
