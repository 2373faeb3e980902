// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

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
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/kubeconn"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
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

func (c *cluster) refusals() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.refused
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

// files writes what a client finds in its directory: its kubeconfig, the
// certificate authority and the token.
type files struct {
	t   *testing.T
	dir string
}

func newFiles(t *testing.T) files {
	f := files{t, t.TempDir()}
	f.write("config", fmt.Appendf(nil, `apiVersion: v1
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
`, f.dir))
	return f
}

func (f files) write(name string, content []byte) {
	f.t.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, name), content, 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// following is an informer that follows a cluster, all in a bubble.
type following struct {
	*informer.Informer[*unstructured.Unstructured]
	network *pipes
	server  *cluster

	mu     sync.Mutex
	faults []string
}

// follow starts a cluster and an informer, and returns when the informer has what
// the cluster has. They end with the test.
func follow(t *testing.T, f files) *following {
	t.Helper()
	certificate, ca := authority(t, "cluster.test")
	f.write("ca.crt", ca)
	f.write("token", []byte("first"))
	c := &following{network: newPipes(), server: &cluster{certificate: certificate, token: "first"}}
	running := http.Server{Handler: c.server, TLSConfig: c.server.config(), ErrorLog: log.New(io.Discard, "", 0)}
	served := make(chan error)
	go func() { served <- running.ServeTLS(c.network, "", "") }()
	config, err := clientcmd.BuildConfigFromFlags("", filepath.Join(f.dir, "config"))
	if err != nil {
		t.Fatal(err)
	}
	config.Dial = c.network.dial
	conn, err := kubeconn.FromConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	objects := store.ForObjects[*unstructured.Unstructured]()
	c.Informer = informer.New(gadgets, wire.Source[*unstructured.Unstructured](conn, gadgets), objects,
		informer.WithReflector(reflector.Settings{NoWatchList: true}), informer.WithErrorHandler(func(err error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.faults = append(c.faults, err.Error())
		}))
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- c.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		conn.Client.CloseIdleConnections()
		c.network.cut()
		_ = running.Close()
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	c.reached(t, "5")
	return c
}

// reached waits until the informer has seen version.
func (c *following) reached(t *testing.T, version string) {
	t.Helper()
	patience, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	if err := c.Store().Reader().WaitFor(patience, version); err != nil {
		t.Fatalf("%v; %v", err, c.LastError())
	}
}

// said tells all that went wrong so far.
func (c *following) said() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Join(c.faults, "\n")
}
