// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net/http"
)

// Endpoint says how to reach an example API server. It stays valid until the
// server is closed, through any number of stops and starts.
type Endpoint struct {
	// URL is the address with TLS, https://127.0.0.1:port. Clients agree on
	// HTTP/2 or HTTP/1.1 there.
	URL string
	// PlainURL is the address in plain text, http://127.0.0.1:port, for HTTP/1.1
	// and for looking at the wire.
	PlainURL string
	// Token is the bearer token of a client that may do everything. Both
	// addresses want it.
	Token string
	// CA is the certificate authority of URL, in PEM.
	CA []byte
	// Tokens are the bearer tokens of the other users, by name; see [Endpoint.As].
	Tokens map[string]string
}

// TLSConfig returns a new configuration that trusts the server at URL and
// nothing else.
func (e Endpoint) TLSConfig() *tls.Config {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(e.CA)
	return &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}

// HTTPClient returns a new client with connections of its own, which trusts the
// server at URL and sends Token with every request. It follows the HTTP/2 of
// URL and speaks HTTP/1.1 to PlainURL. It has no timeout, so that it can watch;
// bound other requests by their contexts. Call CloseIdleConnections when you
// are done with it.
//
// Since every request carries Token, use it for this server only.
func (e Endpoint) HTTPClient() *http.Client {
	return &http.Client{Transport: &bearer{
		token: e.Token,
		next:  &http.Transport{TLSClientConfig: e.TLSConfig(), ForceAttemptHTTP2: true},
	}}
}

// Kubeconfig returns a configuration file for kubectl and for client-go.
func (e Endpoint) Kubeconfig() []byte {
	return fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters:
- name: example
  cluster:
    server: %s
    certificate-authority-data: %s
users:
- name: example
  user:
    token: %s
contexts:
- name: example
  context:
    cluster: example
    user: example
current-context: example
`, e.URL, base64.StdEncoding.EncodeToString(e.CA), e.Token)
}

// bearer adds a bearer token to requests.
type bearer struct {
	token string
	next  *http.Transport
}

func (b *bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
}

// CloseIdleConnections is what http.Client.CloseIdleConnections calls.
func (b *bearer) CloseIdleConnections() { b.next.CloseIdleConnections() }
