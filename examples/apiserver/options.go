// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

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
	// They come after our own. The server's address, certificate, tokens and etcd are
	// not for flags to choose.
	Flags []string
	// Log receives what etcd and the API server write; nil discards it, but for
	// a few lines that errors quote.
	Log io.Writer
	// Progress receives lines for a person to read if building the server takes
	// longer than a moment; nil discards them.
	Progress io.Writer
	// Binary is the path of the command apiserver-child, already built. If
	// empty, Start builds it.
	Binary string
}

// ownFlags are the flags that this package sets for each start. Clients could not
// reach a server with others.
var ownFlags = []string{
	"bind-address", "cert-dir", "etcd-servers", "permit-port-sharing", "secure-port", "tls-cert-file",
	"tls-private-key-file", "token-auth-file",
}

// check returns the errors that can be found before anything is built.
func (o Options) check() error {
	var errs []error
	for _, flag := range o.Flags {
		name, _, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		if slices.Contains(ownFlags, name) {
			errs = append(errs, fmt.Errorf("Flags has %s, which is chosen at each start; remove it: the address and "+
				"the tokens of the server are in its Endpoint", flag))
		}
	}
	seen := map[string]bool{}
	for _, u := range o.Users {
		switch {
		case u.Name == "":
			errs = append(errs, errors.New("Users has a user without a name"))
		case seen[u.Name]:
			errs = append(errs, fmt.Errorf("Users has two users named %s; join their groups", u.Name))
		}
		seen[u.Name] = true
	}
	return errors.Join(errs...)
}
