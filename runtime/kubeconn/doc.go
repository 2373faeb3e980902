// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package kubeconn reaches a cluster as kubectl and controllers do: it makes a
// wire.Conn of a kubeconfig, or of what a Pod finds in its cluster, by client-go.
//
//	conn, err := kubeconn.Load("") // $KUBECONFIG, ~/.kube/config, or the Pod's own
//	if err != nil {
//		return err
//	}
//	informers := v1alpha1.NewInformers(v1alpha1.HTTPSources(conn, ""))
//
// Certificates, tokens and their rotation, exec plug-ins, impersonation, proxies
// and the health checks of HTTP/2 are client-go's; the tests have each of them.
// client-go does not exchange its http.Client when credentials change, so a Conn is
// good for as long as the program runs. It reads a token's file again once a minute, so
// that a token that was exchanged before its time may be refused for so long. It reads
// the file of a certificate authority again from v0.36 on; with an older client-go,
// restart the program when the authority changes.
//
// Redirects to another host or port, or from https to http, fail: see package wire. To allow
// them, replace Conn.Client by a copy that has a CheckRedirect. Errors do not show
// credentials that are part of a server's address or of a proxy's.
//
// It is a module of its own because package wire needs an http.Client and an address,
// and nothing of client-go: who reads by a typed client, or reaches the server in some
// other way, need not have these dependencies. It asks for the lowest client-go that
// goes with the lowest apimachinery of runtime. Its replace directive is for work in
// this repository; whoever requires the module does not see it.
package kubeconn
