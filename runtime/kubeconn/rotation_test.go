// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package kubeconn_test

import (
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/transport"
)

// TestCredentialsChange has a cluster replace its certificate authority, and the
// token of the client, both of which the client finds in the files that its
// configuration names, as in a Pod. Nobody tells it so; client-go reads the files
// again, of which a token it does each minute and the authority every five.
func TestCredentialsChange(t *testing.T) {
	f := newFiles(t)
	synctest.Test(t, func(t *testing.T) {
		c := follow(t, f)

		// A new token: the old one is refused as soon as the connection breaks.
		c.server.set(c.server.certificate, "second")
		f.write("token", []byte("second"))
		c.network.cut()
		c.reached(t, "6")

		// A new authority, of which the file tells. client-go before v0.36 does not read it.
		if _, ok := reflect.TypeFor[transport.TLSConfig]().FieldByName("ReloadCAFiles"); !ok {
			return
		}
		certificate, ca := authority(t, "cluster.test")
		c.server.set(certificate, "the third")
		f.write("ca.crt", ca)
		f.write("token", []byte("the third"))
		c.network.cut()
		c.reached(t, "9")

		// Over a pipe, who is told that a certificate is not trusted may find
		// nobody listening any more.
		said := c.said()
		if c.server.refusals() == 0 || !strings.Contains(said, "unknown authority") && !strings.Contains(said, "TLS handshake") {
			t.Errorf("%d requests refused, faults %q", c.server.refusals(), said)
		}
	})
}

// TestDeadConnection has nothing come through any more, and no end be told:
// client-go asks, over HTTP/2, and gives the connection up.
func TestDeadConnection(t *testing.T) { outlive(t, 3*time.Minute) }

// TestDeadConnectionWithoutHealthChecks leaves it to the informer to find that out,
// as with an http.Client that has none.
func TestDeadConnectionWithoutHealthChecks(t *testing.T) {
	t.Setenv("HTTP2_READ_IDLE_TIMEOUT_SECONDS", "0")
	outlive(t, time.Hour)
}

// outlive has the connection of an informer go dead, and waits at most so long for it
// to be up to date again.
func outlive(t *testing.T, most time.Duration) {
	f := newFiles(t)
	synctest.Test(t, func(t *testing.T) {
		c := follow(t, f)
		time.Sleep(10 * time.Second)
		c.network.silence()
		c.server.set(c.server.certificate, "second")
		f.write("token", []byte("second"))
		began := time.Now()
		c.reached(t, "6")
		took := time.Since(began)
		t.Log("it took", took)
		if took > most {
			t.Error("that is too long")
		}
	})
}
