// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package kubeconn_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/kubeconn"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"
)

// authority returns a certificate of an authority of its own for name, and the
// authority's in PEM.
func authority(t *testing.T, name string) (tls.Certificate, []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(240 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// pipes is a network within the process, so that time in a bubble passes while
// nobody sends.
type pipes struct {
	calls  chan net.Conn
	closed chan struct{}
	once   sync.Once

	mu   sync.Mutex
	open []net.Conn
}

func newPipes() *pipes { return &pipes{calls: make(chan net.Conn), closed: make(chan struct{})} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.calls <- theirs:
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = append(p.open, theirs)
	return ours, nil
}

// cut breaks all connections.
func (p *pipes) cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.open {
		_ = c.Close()
	}
	p.open = nil
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.calls:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (*pipes) Addr() net.Addr { return &net.UnixAddr{} }

// cluster is a server that wants one token and has one certificate at a time.
type cluster struct {
	mu          sync.Mutex
	certificate tls.Certificate
	token       string
	refused     int // requests with another token
}

func (c *cluster) set(certificate tls.Certificate, token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.certificate, c.token = certificate, token
}

func (c *cluster) config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2"}, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		c.mu.Lock()
		defer c.mu.Unlock()
		current := c.certificate
		return &current, nil
	}}
}

// ServeHTTP has one object, whose resourceVersion is as long as the token.
func (c *cluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	token := c.token
	c.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if r.Header.Get("Authorization") != "Bearer "+token {
		c.mu.Lock()
		c.refused++
		c.mu.Unlock()
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	version := len(token)
	object := fmt.Sprintf(`{"apiVersion":"example.dev/v1","kind":"Gadget","metadata":{"namespace":"ns","name":"a","uid":"u","resourceVersion":"%d"}}`, version)
	if r.URL.Query().Get("watch") == "" {
		fmt.Fprintf(w, `{"apiVersion":"example.dev/v1","kind":"GadgetList","metadata":{"resourceVersion":"%d"},"items":[%s]}`, version, object)
		return
	}
	if r.URL.Query().Get("resourceVersion") != fmt.Sprint(version) {
		fmt.Fprintf(w, `{"type":"MODIFIED","object":%s}`+"\n", object)
	}
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

// TestCredentialsChange has a cluster replace its certificate authority, and the
// token of the client, both of which the client finds in the files that its
// configuration names, as in a Pod. Nobody tells it so; client-go reads the files
// again, of which a token it does each minute and the authority every five.
func TestCredentialsChange(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, content []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("config", fmt.Appendf(nil, `apiVersion: v1
kind: Config
clusters:
- name: c
  cluster: {server: "https://cluster.test", certificate-authority: %[1]s/ca.crt}
users:
- name: u
  user: {tokenFile: %[1]s/token}
contexts:
- name: x
  context: {cluster: c, user: u}
current-context: x
`, dir))
	synctest.Test(t, func(t *testing.T) {
		certificate, ca := authority(t, "cluster.test")
		write("ca.crt", ca)
		write("token", []byte("first"))
		network, server := newPipes(), &cluster{certificate: certificate, token: "first"}
		running := http.Server{Handler: server, TLSConfig: server.config(), ErrorLog: log.New(io.Discard, "", 0)}
		served := make(chan error)
		go func() { served <- running.ServeTLS(network, "", "") }()

		config, err := clientcmd.BuildConfigFromFlags("", filepath.Join(dir, "config"))
		if err != nil {
			t.Fatal(err)
		}
		config.Dial = network.dial
		conn, err := kubeconn.FromConfig(config)
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		var faults []string
		objects := store.ForObjects[*unstructured.Unstructured]()
		i := informer.New(gadgets, wire.Source[unstructured.Unstructured](conn, gadgets, ""), objects,
			informer.WithWatchList(false), informer.WithErrorHandler(func(err error) {
				mu.Lock()
				defer mu.Unlock()
				faults = append(faults, err.Error())
			}))
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- i.Run(ctx) }()
		reached := func(step, version string) {
			t.Helper()
			patience, cancel := context.WithTimeout(ctx, time.Hour)
			defer cancel()
			if err := objects.Reader().WaitFor(patience, version); err != nil {
				t.Fatalf("%s: %v; %v", step, err, i.LastError())
			}
		}
		reached("first", "5")

		// A new token: the old one is refused as soon as the connection breaks.
		server.set(certificate, "second")
		write("token", []byte("second"))
		network.cut()
		reached("a new token", "6")

		// A new authority, of which the file tells.
		certificate, ca = authority(t, "cluster.test")
		server.set(certificate, "the third")
		write("ca.crt", ca)
		write("token", []byte("the third"))
		network.cut()
		reached("a new authority", "9")

		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		conn.Client.CloseIdleConnections()
		network.cut()
		_ = running.Close()
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
		// Over a pipe, who is told that a certificate is not trusted may find
		// nobody listening any more.
		said := strings.Join(faults, "\n")
		if server.refused == 0 || !strings.Contains(said, "unknown authority") && !strings.Contains(said, "TLS handshake") {
			t.Errorf("%d requests refused, faults %q", server.refused, faults)
		}
	})
}
