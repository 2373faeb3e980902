// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package kubeconn connects to a cluster like kubectl and controllers do. It creates a wire.Conn from a
// kubeconfig, or from a Pod's service account, with client-go.
//
//	conn, err := kubeconn.Load("") // $KUBECONFIG, ~/.kube/config, or the Pod's own
//	if err != nil {
//		return err
//	}
//	devices := wire.Source[*v1alpha1.Device](conn, v1alpha1.DevicesResource)
//	informers := v1alpha1.NewInformers(v1alpha1.InformerSources{Devices: devices})
//
// client-go handles certificates, tokens and their rotation, exec plugins, impersonation, proxies and
// HTTP/2 health checks; the tests cover each of them. A Conn can be used as long as the program runs.
// client-go reads a token file again once a minute, so a token that is revoked early may be refused for
// that long. It reads the file of a certificate authority again since v0.36; with an older
// client-go, restart the program when the authority changes.
//
// Redirects to another host or port, or from https to http, are errors; see package wire. To allow
// them, set CheckRedirect in a copy of Conn.Client. Errors do not show credentials that are part of
// a server's or proxy's address.
//
// The package is a module of its own, so that users of package wire without a kubeconfig do not
// depend on client-go. It requires the lowest client-go that goes with the lowest apimachinery of
// runtime. Its replace directive is only for work in this repository.
package kubeconn
