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
	"sync"
	"sync/atomic"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// measureOne reads a job, runs a variant and writes its figures.
func measureOne(ctx context.Context, variant string, in io.Reader, out io.Writer) error {
	var j job
	if err := json.NewDecoder(in).Decode(&j); err != nil {
		return err
	}
	config := restconfig.New(j.Endpoint)
	config.QPS = -1
	var f figures
	var err error
	if variant == alone {
		f, err = hold(ctx, config)
	} else {
		f, err = manage(ctx, variant, config, j)
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(f)
}

// hold lists the Devices into a slice.
func hold(ctx context.Context, config *rest.Config) (f figures, err error) {
	c, err := client.New(config, client.Options{Scheme: scheme(), Mapper: mapper()})
	if err != nil {
		return f, err
	}
	var devices []*fleet.Device
	for more := ""; ; {
		page := &fleet.DeviceList{}
		if err := c.List(ctx, page, client.Limit(500), client.Continue(more)); err != nil {
			return f, err
		}
		for _, d := range page.Items {
			devices = append(devices, &d)
		}
		if more = page.Continue; more == "" {
			break
		}
	}
	f.synced()
	f.Live = liveHeap(devices)
	return f, nil
}

// manage runs a manager until each of its reconcilers has been called for each Device.
func manage(ctx context.Context, variant string, c *rest.Config, j job) (f figures, err error) {
	requests := &watchCounter{}
	c.WrapTransport = requests.wrap
	opts := manager.Options{
		Scheme: scheme(), Metrics: server.Options{BindAddress: "0"},
		Controller:     config.Controller{SkipNameValidation: new(true)},
		MapperProvider: func(*rest.Config, *http.Client) (meta.RESTMapper, error) { return mapper(), nil },
	}
	switch variant {
	case newInformer:
		opts.Cache.NewInformer = clientgo.NewSharedIndexInformer
	case newCache:
		opts.NewCache = ctrlruntime.NewCache
	}
	m, err := manager.New(c, opts)
	if err != nil {
		return f, err
	}
	var typed *store.Store[types.NamespacedName, *fleet.Device]
	if variant != theirs {
		if typed, err = ctrlruntime.StoreOf[*fleet.Device](ctx, m.GetCache()); err != nil {
			return f, err
		}
	}
	err = m.GetFieldIndexer().IndexField(ctx, &fleet.Device{}, "site", func(obj client.Object) []string {
		return []string{obj.(*fleet.Device).Spec.Site}
	})
	if err != nil {
		return f, err
	}
	reconciled := newTally(j.Reconcilers * j.Devices)
	for i := range j.Reconcilers {
		err := builder.ControllerManagedBy(m).Named(fmt.Sprint("reconciler-", i)).For(&fleet.Device{}).
			Complete(&reconciler{m.GetClient(), reconciled})
		if err != nil {
			return f, err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- m.Start(ctx) }()
	if !m.GetCache().WaitForCacheSync(ctx) {
		return f, errors.New("the cache has not synced")
	}
	f.synced()
	select {
	case <-reconciled.done:
	case err := <-ended:
		return f, errors.Join(errors.New("the manager has ended"), err)
	}
	f.Live = liveHeap(m)
	f.Watches = requests.n.Load()
	if err := f.read(ctx, m.GetCache(), typed, j.Devices); err != nil {
		return f, err
	}
	cancel()
	return f, <-ended
}

// reconciler reads the Device that it is called for.
type reconciler struct {
	reader client.Reader
	done   *tally
}

func (r *reconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	if err := r.reader.Get(ctx, req.NamespacedName, &fleet.Device{}); err != nil {
		return reconcile.Result{}, err
	}
	r.done.add()
	return reconcile.Result{}, nil
}

// tally closes done when add has been called n times.
type tally struct {
	left atomic.Int64
	once sync.Once
	done chan struct{}
}

func newTally(n int) *tally {
	t := &tally{done: make(chan struct{})}
	t.left.Store(int64(n) + 1)
	t.add()
	return t
}

func (t *tally) add() {
	if t.left.Add(-1) <= 0 {
		t.once.Do(func() { close(t.done) })
	}
}

// watchCounter counts the watches of Devices.
type watchCounter struct{ n atomic.Int64 }

func (c *watchCounter) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		if r.URL.Query().Get("watch") != "" {
			c.n.Add(1)
		}
		return next.RoundTrip(r)
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
