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

// TestCredentialsChange replaces the certificate authority and the client's token in their files, like
// in a Pod. client-go reads the token file again each minute, that of the authority every five.
func TestCredentialsChange(t *testing.T) {
	f := newFiles(t)
	synctest.Test(t, func(t *testing.T) {
		c := follow(t, f)

		// A new token: the old one is refused as soon as the connection breaks.
		c.server.set(c.server.certificate, "second")
		f.write("token", []byte("second"))
		c.network.cut()
		c.reached(t, "6")

		// A new authority in the file. client-go before v0.36 does not read it again.
		if _, ok := reflect.TypeFor[transport.TLSConfig]().FieldByName("ReloadCAFiles"); !ok {
			return
		}
		certificate, ca := authority(t, "cluster.test")
		c.server.set(certificate, "the third")
		f.write("ca.crt", ca)
		f.write("token", []byte("the third"))
		c.network.cut()
		c.reached(t, "9")

		// Over a pipe, the alert about the untrusted certificate may find the other end closed.
		said := c.said()
		if c.server.refusals() == 0 || !strings.Contains(said, "unknown authority") && !strings.Contains(said, "TLS handshake") {
			t.Errorf("%d requests refused, faults %q", c.server.refusals(), said)
		}
	})
}

// TestDeadConnection drops all data without an error: client-go's HTTP/2 pings fail, and it closes the
// connection.
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
