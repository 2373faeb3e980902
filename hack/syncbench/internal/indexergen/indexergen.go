// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package indexergen is an informer of indexer-gen under measurement.
package indexergen

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"

	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/probe"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// client returns what rest.HTTPClientFor of client-go would, less the dependency.
func client(job probe.Job, requests *probe.Requests) *http.Client {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(job.CA)
	return &http.Client{Transport: requests.Wrap(bearer{job.Token, &http.Transport{
		TLSClientConfig:    &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
		ForceAttemptHTTP2:  true,
		DisableCompression: !job.Compress,
	}})}
}

// bearer adds a bearer token to requests.
type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.next.RoundTrip(r)
}

// Start starts an informer of objects of type E, with the two indexes that client-go's has.
func Start[E any, T interface {
	*E
	metav1.Object
}](
	ctx context.Context, job probe.Job, resource schema.GroupVersionResource, node func(T) string,
	opts ...wire.Option,
) probe.Cache {
	requests := &probe.Requests{}
	conn := wire.Conn{BaseURL: job.URL, Client: client(job, requests)}
	if job.SkipManaged {
		opts = append(opts, wire.WithoutManagedFields())
	}
	objects := store.ForObjects[T]()
	store.AddIndex(objects, "Namespace", func(dst []string, obj T) []string {
		return append(dst, obj.GetNamespace())
	})
	store.AddIndex(objects, "Node", func(dst []string, obj T) []string { return append(dst, node(obj)) })
	i := informer.New(resource, wire.Source[T](conn, resource, opts...), objects,
		informer.WithReflector(reflector.Settings{NoWatchList: job.List}),
		informer.WithErrorHandler(func(err error) { fmt.Fprintln(os.Stderr, err) }))
	go func() { _ = i.Run(ctx) }()
	return &cache[T]{Requests: requests, informer: i}
}

type cache[T metav1.Object] struct {
	*probe.Requests
	informer *informer.Informer[T]
}

func (c *cache[T]) Synced() bool { return c.informer.HasSynced() }

func (c *cache[T]) Len() int { return c.informer.Store().Reader().Len() }

func (c *cache[T]) Has(namespace, name string) bool {
	_, ok := c.informer.Store().Reader().Get(types.NamespacedName{Namespace: namespace, Name: name})
	return ok
}
