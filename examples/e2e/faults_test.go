// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

// suffering is an informer whose errors a test waits for.
type suffering struct {
	*fleet.DeviceInformer
	errors chan error
}

// suffer starts an informer that reads a namespace over client at url.
func suffer(t *testing.T, client *http.Client, url, namespace string) *suffering {
	t.Helper()
	t.Cleanup(client.CloseIdleConnections)
	s := &suffering{errors: make(chan error, 1000)}
	s.DeviceInformer = fleet.NewDeviceInformer(
		wire.Source[*fleet.Device](wire.Conn{Client: client, BaseURL: url}, fleet.DevicesResource, wire.InNamespace(namespace)),
		informer.WithReflector(reflector.Settings{Backoff: reflector.Backoff{Initial: 10 * time.Millisecond, Max: 200 * time.Millisecond}}),
		informer.WithErrorHandler(func(err error) {
			t.Log(err)
			select {
			case s.errors <- err:
			default:
			}
		}))
	start(t, s.DeviceInformer)
	if err := s.WaitForSync(deadline(t)); err != nil {
		t.Fatal(err)
	}
	return s
}

// until waits for an error.
func (s *suffering) until(t *testing.T, what string, is func(error) bool) {
	t.Helper()
	ctx := deadline(t)
	for {
		select {
		case err := <-s.errors:
			if is(err) {
				return
			}
		case <-ctx.Done():
			t.Fatalf("no error tells of %s", what)
		}
	}
}

// counted returns how often the statistics say that something has failed for a reason.
func (s *suffering) counted(reason string) (n int64) {
	for _, one := range s.Stats().Sources {
		for kind, times := range one.Errors {
			if kind.Reason == reason {
				n += times
			}
		}
	}
	return n
}

// During a fault between informer and server, the informer reports errors and metrics with
// the reason. After the fault it catches up.
func TestFaults(t *testing.T) {
	for name, test := range map[string]struct {
		fault  fault
		reason string // "" if nothing is wrong but the pace
		also   func(error) bool
	}{
		"forbidden":    {answer(403, metav1.StatusReasonForbidden, 0), "Forbidden", apierrors.IsForbidden},
		"unauthorized": {answer(401, metav1.StatusReasonUnauthorized, 0), "Unauthorized", apierrors.IsUnauthorized},
		"throttled": {answer(429, metav1.StatusReasonTooManyRequests, 1), "TooManyRequests", func(err error) bool {
			var e *reflector.Error
			return apierrors.IsTooManyRequests(err) && errors.As(err, &e) && e.Wait >= time.Second
		}},
		"unavailable":                   {answer(503, metav1.StatusReasonServiceUnavailable, 0), "ServiceUnavailable", apierrors.IsServiceUnavailable},
		"an error of its own":           {answer(500, metav1.StatusReasonInternalError, 0), "InternalError", apierrors.IsInternalError},
		"no answer":                     {func(http.ResponseWriter, *http.Request, http.Handler) { panic(http.ErrAbortHandler) }, "Connection", nil},
		"cut in the middle of an event": {half, "Connection", nil},
		"slow":                          {slow, "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			ctx := deadline(t)
			ns := fresh("faults")
			client := typedClient(t, ns)
			create(t, client, device(ns, "before", "berlin", "m1"))
			f := newFront(t, server.PlainURL)
			s := suffer(t, server.HTTPClient(), f.URL, ns)
			f.show(test.fault)
			during := create(t, client, device(ns, "during", "lyon", "m1"))
			if test.reason == "" {
				if err := s.Lister().WaitFor(ctx, during.ResourceVersion); err != nil {
					t.Fatal(err)
				}
			} else {
				s.until(t, test.reason, func(err error) bool {
					var e *reflector.Error
					return errors.As(err, &e) && reflector.Reason(e.Err) == test.reason && (test.also == nil || test.also(err))
				})
				if s.LastError() == nil {
					t.Error("LastError does not tell of it")
				}
				if s.counted(test.reason) == 0 {
					t.Errorf("no metric tells of it: %+v", s.Stats().Sources)
				}
				expect(t, "BySite(lyon)", s.Lister().BySite("lyon"))
			}
			f.show(nil)
			after := create(t, client, device(ns, "after", "lyon", "m1"))
			if err := s.Lister().WaitFor(ctx, after.ResourceVersion); err != nil {
				t.Fatalf("%v, last error %v", err, s.LastError())
			}
			expect(t, "BySite(lyon)", s.Lister().BySite("lyon"), "after", "during")
			expect(t, "BySite(berlin)", s.Lister().BySite("berlin"), "before")
		})
	}
}

// The server is replaced by one that has another certificate and wants another token.
// The informer goes on as soon as its client has both.
func TestAnotherCertificateAndToken(t *testing.T) {
	ctx := deadline(t)
	ns := fresh("replaced")
	client := typedClient(t, ns)
	create(t, client, device(ns, "before", "berlin", "m1"))

	proxy := (&front{}).handler(t, server.PlainURL)
	serve := func(address, token string) (*http.Server, *x509.CertPool, string) {
		t.Helper()
		certificate, pool := selfSigned(t)
		l, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		s := &http.Server{
			TLSConfig: &tls.Config{
				Certificates: []tls.Certificate{certificate},
				MinVersion:   tls.VersionTLS12,
			},
		}
		s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer "+token {
				answer(401, metav1.StatusReasonUnauthorized, 0)(w, r, nil)
				return
			}
			r.Header.Set("Authorization", "Bearer "+server.Token)
			proxy.ServeHTTP(w, r)
		})
		go func() { _ = s.ServeTLS(l, "", "") }()
		t.Cleanup(func() { s.Close() })
		return s, pool, l.Addr().String()
	}
	first, pool, address := serve("127.0.0.1:0", "one")
	trust := &trust{}
	trust.roots.Store(pool)
	trust.token.Store("one")
	s := suffer(t, trust.client(), "https://"+address, ns)

	first.Close()
	_, pool, _ = serve(address, "two")
	during := create(t, client, device(ns, "during", "lyon", "m1"))
	s.until(
		t,
		"the certificate",
		func(err error) bool { return strings.Contains(err.Error(), "certificate") },
	)
	trust.roots.Store(pool)
	s.until(t, "the token", apierrors.IsUnauthorized)
	if s.counted("Unauthorized") == 0 || s.counted("Connection") == 0 {
		t.Errorf("no metric tells of it: %+v", s.Stats().Sources)
	}
	trust.token.Store("two")
	if err := s.Lister().WaitFor(ctx, during.ResourceVersion); err != nil {
		t.Fatalf("%v, last error %v", err, s.LastError())
	}
	expect(t, "BySite(lyon)", s.Lister().BySite("lyon"), "during")
}

// trust holds the CAs that a client trusts at the moment, and its token.
type trust struct {
	roots atomic.Pointer[x509.CertPool]
	token atomic.Value
}

func (c *trust) client() *http.Client {
	verify := func(state tls.ConnectionState) error {
		_, err := state.PeerCertificates[0].Verify(
			x509.VerifyOptions{Roots: c.roots.Load(), DNSName: "127.0.0.1"},
		)
		return err
	}
	//nolint:gosec // VerifyConnection verifies, by roots that change.
	own := &tls.Config{InsecureSkipVerify: true, VerifyConnection: verify, MinVersion: tls.VersionTLS12}
	return &http.Client{Transport: bearer{c, &http.Transport{TLSClientConfig: own, ForceAttemptHTTP2: true}}}
}

type bearer struct {
	*trust
	next *http.Transport
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", fmt.Sprint("Bearer ", b.token.Load()))
	return b.next.RoundTrip(r)
}

func (b bearer) CloseIdleConnections() { b.next.CloseIdleConnections() }

// selfSigned returns a new certificate for loopback, and a pool that trusts it.
func selfSigned(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// etcd forgets the version at which an informer has lost its watch: the informer lists,
// and misses nothing. The server has no watch cache, so that it is etcd that answers.
func TestCompactedUnderAStaleWatch(t *testing.T) {
	ctx := deadline(t)
	own, err := apiserver.Start(ctx, apiserver.Options{
		CRDs: []string{"../quickstart/config/crd"}, Progress: os.Stderr,
		Flags: []string{"--watch-cache=false", "--etcd-compaction-interval=1s"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := own.Close(); err != nil {
			t.Error(err)
		}
	}()
	client := typedClientOf(t, own.Endpoint, "default")
	create(t, client, device("default", "kept", "berlin", "m1"))
	create(t, client, device("default", "gone", "lyon", "m1"))
	f := newFront(t, own.PlainURL)
	s := suffer(t, own.HTTPClient(), f.URL, "default")
	stale := s.Lister().ResourceVersion()

	f.show(answer(503, metav1.StatusReasonServiceUnavailable, 0))
	if err := client.Delete(ctx, "gone", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	last := create(t, client, device("default", "new", "lyon", "m1"))
	for compacted := false; !compacted; { // once etcd has compacted, and written a little since
		last.Spec.Model = rand.Text()
		if last, err = client.Update(ctx, last, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		compacted = isCompacted(ctx, t, client, stale)
	}
	f.show(nil)
	if err := s.Lister().WaitFor(ctx, last.ResourceVersion); err != nil {
		t.Fatalf("%v, last error %v", err, s.LastError())
	}
	expect(t, "All", s.Lister().All(), "kept", "new")
	if s.counted("Expired") == 0 {
		t.Errorf("no metric tells of it: %+v", s.Stats().Sources)
	}
	s.until(t, "the version that is too old", apierrors.IsResourceExpired)
}

// isCompacted reports whether a watch at a version is refused for being too old.
func isCompacted(ctx context.Context, t *testing.T, client typed, version string) bool {
	t.Helper()
	second := int64(1)
	w, err := client.Watch(ctx, metav1.ListOptions{ResourceVersion: version, TimeoutSeconds: &second})
	if apierrors.IsResourceExpired(err) || apierrors.IsGone(err) {
		return true
	} else if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	var kinds []string
	for event := range w.ResultChan() {
		kinds = append(kinds, string(event.Type))
		if refused := apierrors.FromObject(event.Object); event.Type == "ERROR" &&
			(apierrors.IsResourceExpired(refused) || apierrors.IsGone(refused)) {
			return true
		}
	}
	return slices.Contains(kinds, "ERROR")
}
