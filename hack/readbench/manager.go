// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/ctrlread"
)

func mapper() meta.RESTMapper {
	m := meta.NewDefaultRESTMapper(nil)
	m.Add(corev1.SchemeGroupVersion.WithKind("Secret"), meta.RESTScopeNamespace)
	return m
}

// measure reads a job, runs a variant and writes its figures.
func measure(ctx context.Context, variant string, in io.Reader, out io.Writer) error {
	var j job
	if err := json.NewDecoder(in).Decode(&j); err != nil {
		return err
	}
	began := time.Now()
	config := restconfig.New(j.Endpoint)
	config.QPS = -1
	requests := &byName{}
	config.WrapTransport = requests.wrap
	opts := manager.Options{
		Metrics:        server.Options{BindAddress: "0"},
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) { return mapper(), nil },
	}
	var watches []builder.ForOption
	switch variant {
	case empty:
		opts.Cache.DefaultNamespaces = map[string]cache.Config{"kube-public": {}}
		fallthrough
	case holdRead:
		opts.NewCache = ctrlruntime.NewCacheWith(ctrlread.HoldRead(&corev1.Secret{}))
		watches = append(watches, builder.OnlyMetadata)
	case metadata:
		opts.Client.Cache = &client.CacheOptions{DisableFor: []client.Object{&corev1.Secret{}}}
		watches = append(watches, builder.OnlyMetadata)
	}
	m, err := manager.New(config, opts)
	if err != nil {
		return err
	}
	r := &reconciler{Client: m.GetClient(), reconciled: make(chan string, 2*rotateCount)}
	r.reads.Store(min(readCount, int64(j.Secrets)))
	watches = append(watches, builder.WithPredicates(predicate.NewPredicateFuncs(func(obj client.Object) bool {
		return r.isRead(obj.GetName())
	})))
	if err := builder.ControllerManagedBy(m).For(&corev1.Secret{}, watches...).Complete(r); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- m.Start(ctx) }()
	if !m.GetCache().WaitForCacheSync(ctx) {
		return errors.New("the cache has not synced")
	}
	var f figures
	if variant != empty {
		if err := r.await(ctx, int(r.reads.Load())); err != nil {
			return err
		}
		f.Held = r.bytes.Load()
		f.First = requests.per(r.reads.Load())
	}
	f.Start = time.Since(began)
	f.memory()
	if err := json.NewEncoder(out).Encode(f); err != nil {
		return err
	}
	if variant != empty {
		if err := r.work(ctx, &f, requests, j); err != nil {
			return err
		}
	}
	cancel()
	return errors.Join(<-ended, json.NewEncoder(out).Encode(f))
}

// reconciler reads the Secrets that it is called for.
type reconciler struct {
	client.Client
	reads      atomic.Int64 // the Secrets before this number are read
	bytes      atomic.Uint64
	reconciled chan string
}

func (r *reconciler) isRead(name string) bool {
	n, err := strconv.ParseInt(strings.TrimPrefix(name, secretName), 10, 64)
	return err == nil && n < r.reads.Load()
}

func (r *reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var s corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &s); err != nil {
		return reconcile.Result{}, err
	}
	r.bytes.Add(uint64(s.Size()))
	r.reconciled <- string(s.Data["token"])
	return reconcile.Result{}, nil
}

// await waits for n reconciles.
func (r *reconciler) await(ctx context.Context, n int) error {
	for range n {
		select {
		case <-r.reconciled:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// reconcileAll reconciles each Secret that is read.
func (r *reconciler) reconcileAll(ctx context.Context) error {
	for n := range r.reads.Load() {
		key := client.ObjectKey{Namespace: "default", Name: fmt.Sprint(secretName, n)}
		if _, err := r.Reconcile(ctx, reconcile.Request{NamespacedName: key}); err != nil {
			return err
		}
	}
	return r.await(ctx, int(r.reads.Load()))
}

// work measures what follows the start.
func (r *reconciler) work(ctx context.Context, f *figures, requests *byName, j job) (err error) {
	const times = 10
	for range times {
		if err := r.reconcileAll(ctx); err != nil {
			return err
		}
	}
	f.Idle = requests.per(times * r.reads.Load())
	if f.Found, err = valuesInHeap(func(n int) bool { return int64(n) < r.reads.Load() }); err != nil {
		return err
	}
	r.reads.Store(min(rotateCount, int64(j.Secrets)))
	if err := r.reconcileAll(ctx); err != nil {
		return err
	}
	requests.per(1)
	c, err := newClient(j.Endpoint)
	if err != nil {
		return err
	}
	left := map[string]bool{}
	salt := uint64(time.Now().UnixNano())
	for n := range r.reads.Load() {
		s := secret(int(n), salt)
		left[string(s.Data["token"])] = true
		if err := c.Update(ctx, s); err != nil {
			return err
		}
	}
	for len(left) > 0 {
		select {
		case token := <-r.reconciled:
			delete(left, token)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	f.Rotate = requests.per(r.reads.Load())
	return nil
}

// byName counts requests for Secrets by name.
type byName struct{ n atomic.Int64 }

// per returns the requests since the last call, divided by n.
func (b *byName) per(n int64) float64 { return float64(b.n.Swap(0)) / float64(n) }

func (b *byName) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodGet && (strings.Contains(r.URL.Path, "/secrets/") ||
			strings.HasPrefix(r.URL.Query().Get("fieldSelector"), "metadata.name=")) {
			b.n.Add(1)
		}
		return next.RoundTrip(r)
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
