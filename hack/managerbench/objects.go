// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/hack/internal/process"
)

// creators is how many objects are created at a time.
const creators = 16

// create creates n objects.
func create(ctx context.Context, e apiserver.Endpoint, n int, object func(i int) client.Object) error {
	c, err := newClient(e)
	if err != nil {
		return err
	}
	creating, ctx := errgroup.WithContext(ctx)
	creating.SetLimit(creators)
	for i := range n {
		creating.Go(func() error { return c.Create(ctx, object(i)) })
	}
	return creating.Wait()
}

func newClient(e apiserver.Endpoint) (client.Client, error) {
	return client.New(configOf(e), client.Options{Scheme: scheme(), Mapper: mapper()})
}

func configOf(e apiserver.Endpoint) *rest.Config {
	c := restconfig.New(e)
	c.QPS = -1
	return c
}

func scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	if err := errors.Join(fleet.AddToScheme(s), corev1.AddToScheme(s)); err != nil {
		panic(err) // the types of two groups do not conflict
	}
	return s
}

func mapper() meta.RESTMapper {
	m := meta.NewDefaultRESTMapper(nil)
	m.Add(fleet.GroupVersion.WithKind("Device"), meta.RESTScopeNamespace)
	m.Add(corev1.SchemeGroupVersion.WithKind("Secret"), meta.RESTScopeNamespace)
	return m
}

// managerOptions are those that all managers share.
func managerOptions() manager.Options {
	return manager.Options{
		Scheme: scheme(), Metrics: server.Options{BindAddress: "0"},
		Controller:     config.Controller{SkipNameValidation: new(true)},
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) { return mapper(), nil },
	}
}

// start starts a manager and waits until its cache has synced. The error of the manager is sent when it has ended.
func start(ctx context.Context, m manager.Manager) (ended <-chan error, err error) {
	result := make(chan error, 1)
	go func() { result <- m.Start(ctx) }()
	if !m.GetCache().WaitForCacheSync(ctx) {
		return nil, errors.New("the cache has not synced")
	}
	return result, nil
}

// synced notes what the sync has cost.
func (f figures) synced() {
	f["cpu"], f["peak"] = process.CPU().Seconds(), float64(process.Peak())
}

// requests counts the requests that match.
type requests struct {
	n       atomic.Int64
	matches func(*http.Request) bool
}

// take returns the count since the last call.
func (r *requests) take() float64 { return float64(r.n.Swap(0)) }

func (r *requests) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(request *http.Request) (*http.Response, error) {
		if r.matches(request) {
			r.n.Add(1)
		}
		return next.RoundTrip(request)
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
