// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package certificates_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	"github.com/indexer-gen/indexer-gen/examples/controller-runtime/certificates"
)

const (
	ingressCount = 20
	secretCount  = 200
)

// reads counts requests for Secrets by name, and other requests for whole Secrets.
type reads struct {
	http.RoundTripper
	byName, others *atomic.Int64
}

func (r reads) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method == http.MethodGet && strings.HasSuffix(req.URL.Path, "/secrets") &&
		!strings.Contains(req.Header.Get("Accept"), "as=PartialObjectMetadata") {
		if strings.HasPrefix(req.URL.Query().Get("fieldSelector"), "metadata.name=") {
			r.byName.Add(1)
		} else {
			r.others.Add(1)
		}
	}
	return r.RoundTripper.RoundTrip(req)
}

// On a real API server, the fingerprints follow the Secrets as they are rotated, deleted and created again. Each
// version of a Secret that an Ingress names costs one request, and other Secrets none.
func TestCertificates(t *testing.T) {
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		t.Skip("this test needs kube-apiserver: run hack/test-kubernetes.sh, or set KUBEBUILDER_ASSETS")
	}
	ctrl.SetLogger(logr.Discard())
	api, err := apiserver.Start(t.Context(), apiserver.Options{Kubernetes: true, Progress: t.Output()})
	do(t, err)
	t.Cleanup(func() { do(t, api.Close()) })
	config := restconfig.New(api.Endpoint)
	c, err := client.New(config, client.Options{})
	do(t, err)
	for n := range secretCount {
		do(t, c.Create(t.Context(), secret(n, "first")))
	}
	for n := range ingressCount {
		do(t, c.Create(t.Context(), ingress(n)))
	}

	counted := reads{byName: new(atomic.Int64), others: new(atomic.Int64)}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return reads{next, counted.byName, counted.others}
	})
	mgr, err := certificates.NewManager(config, ctrl.Options{Metrics: server.Options{BindAddress: "0"}})
	do(t, err)
	do(t, (&certificates.Reconciler{Client: mgr.GetClient()}).SetupWithManager(t.Context(), mgr))
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- mgr.Start(ctx) }()
	defer func() {
		cancel()
		do(t, <-ended)
	}()
	requests := func(want int64) {
		t.Helper()
		if n := counted.byName.Load(); n > want || counted.others.Load() > 0 {
			t.Errorf("%d reads by name, %d others; want %d and none", n, counted.others.Load(), want)
		}
	}

	for n := range ingressCount {
		await(t, c, n, fingerprint(n, "first"))
	}
	requests(ingressCount)
	for n := range secretCount {
		do(t, c.Update(t.Context(), secret(n, "rotated")))
	}
	for n := range ingressCount {
		await(t, c, n, fingerprint(n, "rotated"))
	}
	requests(2 * ingressCount)
	do(t, c.Delete(t.Context(), secret(0, "")))
	await(t, c, 0, "missing")
	requests(2 * ingressCount)
	do(t, c.Create(t.Context(), secret(0, "again")))
	await(t, c, 0, fingerprint(0, "again"))
	requests(2*ingressCount + 1)

	// A client that reads its own writes waits until the cache has their metadata.
	own, err := client.New(config, client.Options{Cache: &client.CacheOptions{
		Reader: mgr.GetCache(), EnableReadYourWritesConsistency: new(true),
	}})
	do(t, err)
	for n := range ingressCount {
		written, read := secret(0, fmt.Sprint("own", n)), &corev1.Secret{}
		do(t, own.Update(t.Context(), written))
		do(t, own.Get(t.Context(), client.ObjectKeyFromObject(written), read))
		if read.ResourceVersion != written.ResourceVersion {
			t.Errorf("wrote resourceVersion %s, read %s", written.ResourceVersion, read.ResourceVersion)
		}
	}

	// What needs all Secrets is refused when the controller starts.
	err = ctrl.NewControllerManagedBy(mgr).Named("refused").
		For(&corev1.Secret{}).Complete(&certificates.Reconciler{})
	do(t, err)
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "use WatchesMetadata") {
		t.Errorf("the manager ended with %v", err)
	}
	ended <- nil
}

func meta(n int) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprint("n", n)}
}

func secret(n int, value string) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: meta(n), Data: map[string][]byte{corev1.TLSCertKey: fmt.Append(nil, value, n)}}
}

func fingerprint(n int, value string) string {
	sum := sha256.Sum256(fmt.Append(nil, value, n))
	return hex.EncodeToString(sum[:8])
}

func ingress(n int) *networkingv1.Ingress {
	return &networkingv1.Ingress{ObjectMeta: meta(n), Spec: networkingv1.IngressSpec{
		TLS:            []networkingv1.IngressTLS{{SecretName: fmt.Sprint("n", n)}},
		DefaultBackend: &networkingv1.IngressBackend{Service: &networkingv1.IngressServiceBackend{Name: "s", Port: networkingv1.ServiceBackendPort{Number: 80}}},
	}}
}

// await waits until the server has an Ingress with the fingerprint.
func await(t *testing.T, c client.Client, n int, want string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		i := ingress(n)
		do(t, c.Get(ctx, client.ObjectKeyFromObject(i), i))
		if i.Annotations[certificates.Fingerprints] == want {
			return
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			t.Fatalf("Ingress %d never had %s: %v", n, want, i.Annotations)
		}
	}
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
