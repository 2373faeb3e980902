// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package restconfig makes client-go configurations for the example API server.
// It is apart from package apiserver so that programs without client-go stay
// without it.
package restconfig

import (
	"k8s.io/client-go/rest"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

// New returns a new configuration for e. It has no rate limit on the client's
// side: the server is yours alone.
func New(e apiserver.Endpoint) *rest.Config {
	return &rest.Config{
		Host:            e.URL,
		BearerToken:     e.Token,
		TLSClientConfig: rest.TLSClientConfig{CAData: e.CA},
		QPS:             -1,
	}
}
