// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/indexer-gen/indexer-gen/hack/internal/process"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/ctrlread"
)

// readSecrets measures a variant for Secrets. The process waits when it has started.
func readSecrets(ctx context.Context, caller *process.Caller, j job) (figures, error) {
	began := time.Now()
	byName := &requests{matches: func(r *http.Request) bool {
		return r.Method == http.MethodGet && (strings.Contains(r.URL.Path, "/secrets/") ||
			strings.HasPrefix(r.URL.Query().Get("fieldSelector"), "metadata.name="))
	}}
	config := configOf(j.Endpoint)
	config.WrapTransport = byName.wrap
	opts := managerOptions()
	var watches []builder.ForOption
	switch j.Variant {
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
		return nil, err
	}
	r := &secretReconciler{Client: m.GetClient(), reconciled: make(chan string, 2*rotateCount)}
	r.reads.Store(min(readCount, int64(j.Objects)))
	watches = append(watches, builder.WithPredicates(predicate.NewPredicateFuncs(func(obj client.Object) bool {
		return r.isRead(obj.GetName())
	})))
	if err := builder.ControllerManagedBy(m).For(&corev1.Secret{}, watches...).Complete(r); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended, err := start(ctx, m)
	if err != nil {
		return nil, err
	}
	f := figures{}
	if j.Variant != empty {
		if err := r.await(ctx, int(r.reads.Load())); err != nil {
			return nil, err
		}
		f["held"] = float64(r.bytes.Load())
		f["first"] = byName.take() / float64(r.reads.Load())
	}
	f["start"] = time.Since(began).Seconds()
	f.synced()
	f["live"] = float64(process.LiveHeap(m))
	if _, err := caller.Wait(); err != nil {
		return nil, err
	}
	if j.Variant != empty {
		if err := r.work(ctx, f, byName, j); err != nil {
			return nil, err
		}
	}
	cancel()
	return f, <-ended
}

// secretReconciler reads the Secrets that it is called for.
type secretReconciler struct {
	client.Client
	reads      atomic.Int64 // the Secrets before this number are read
	bytes      atomic.Uint64
	reconciled chan string
}

func (r *secretReconciler) isRead(name string) bool {
	n, err := strconv.ParseInt(strings.TrimPrefix(name, secretName), 10, 64)
	return err == nil && n < r.reads.Load()
}

func (r *secretReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var s corev1.Secret
	if err := r.Get(ctx, req.NamespacedName, &s); err != nil {
		return reconcile.Result{}, err
	}
	r.bytes.Add(uint64(s.Size()))
	r.reconciled <- string(s.Data["token"])
	return reconcile.Result{}, nil
}

// await waits for n reconciles.
func (r *secretReconciler) await(ctx context.Context, n int) error {
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
func (r *secretReconciler) reconcileAll(ctx context.Context) error {
	for n := range r.reads.Load() {
		key := client.ObjectKey{Namespace: "default", Name: fmt.Sprint(secretName, n)}
		if _, err := r.Reconcile(ctx, reconcile.Request{NamespacedName: key}); err != nil {
			return err
		}
	}
	return r.await(ctx, int(r.reads.Load()))
}

// work measures what follows the start.
func (r *secretReconciler) work(ctx context.Context, f figures, byName *requests, j job) error {
	const times = 10
	for range times {
		if err := r.reconcileAll(ctx); err != nil {
			return err
		}
	}
	f["idle"] = byName.take() / float64(times*r.reads.Load())
	found, err := valuesInHeap(func(n int) bool { return int64(n) < r.reads.Load() })
	if err != nil {
		return err
	}
	f["found"] = float64(found)
	r.reads.Store(min(rotateCount, int64(j.Objects)))
	if err := r.reconcileAll(ctx); err != nil {
		return err
	}
	byName.take()
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
	f["rotation"] = byName.take() / float64(r.reads.Load())
	return nil
}
