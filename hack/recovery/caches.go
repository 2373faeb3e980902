// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"net"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/gentype"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

const namespace = "recovery"

// The names of the caches, in the order of the report.
const (
	oursByWire   = "indexer-gen, wire"
	oursByClient = "indexer-gen, typed client"
	theirs       = "client-go"
)

var kinds = []string{oursByWire, oursByClient, theirs}

// cached is a running informer.
type cached struct {
	has func(name string) bool
	run func(context.Context)
}

// open returns an informer of each kind. Each has connections of its own, which close
// closes.
func open(e apiserver.Endpoint, log io.Writer) (all map[string]cached, closeAll func(), err error) {
	ownHTTP := e.HTTPClient()
	conn := wire.Conn{Client: ownHTTP, BaseURL: e.URL}
	ownClient, err := newClient(e)
	if err != nil {
		return nil, nil, err
	}
	theirClient, err := newClient(e)
	if err != nil {
		return nil, nil, err
	}
	return map[string]cached{
			oursByWire:   ours(oursByWire, wire.Source[*fleet.Device](conn, fleet.DevicesResource, wire.InNamespace(namespace)), log),
			oursByClient: ours(oursByClient, fleet.NewDeviceSource(ownClient.devices), log),
			theirs:       clientGo(theirClient.devices),
		}, func() {
			ownHTTP.CloseIdleConnections()
			ownClient.close()
			theirClient.close()
		}, nil
}

func ours(name string, src source.Source[*fleet.Device], log io.Writer) cached {
	report := func(err error) { fmt.Fprintf(log, "%s: %v\n", name, err) }
	i := fleet.NewDeviceInformer(src, informer.WithErrorHandler(report))
	return cached{
		has: func(name string) bool {
			_, err := i.Lister().Get(namespace, name)
			return err == nil
		},
		run: func(ctx context.Context) {
			if err := i.Run(ctx); err != nil {
				report(err)
			}
		},
	}
}

func clientGo(c devices) cached {
	i := cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
			return c.List(ctx, opts)
		},
		WatchFuncWithContext: func(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
			return c.Watch(ctx, opts)
		},
	}, &fleet.Device{}, 0, nil)
	return cached{
		has: func(name string) bool {
			_, ok, _ := i.GetStore().GetByKey(types.NamespacedName{Namespace: namespace, Name: name}.String())
			return ok
		},
		run: i.RunWithContext,
	}
}

// devices is a client of devices as client-gen writes it.
type devices = *gentype.ClientWithList[*fleet.Device, *fleet.DeviceList]

// client is a typed client over connections of its own.
type client struct {
	devices devices
	close   func()
}

func newClient(e apiserver.Endpoint) (*client, error) {
	scheme := runtime.NewScheme()
	if err := fleet.AddToScheme(scheme); err != nil {
		return nil, err
	}
	cfg := restconfig.New(e)
	cfg.GroupVersion = &fleet.GroupVersion
	cfg.APIPath = "/apis"
	cfg.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	// A configuration without a dialer of its own shares connections with every other one.
	cfg.Dial = new(net.Dialer).DialContext
	http, err := rest.HTTPClientFor(cfg)
	if err != nil {
		return nil, err
	}
	c, err := rest.RESTClientForConfigAndClient(cfg, http)
	if err != nil {
		return nil, err
	}
	return &client{gentype.NewClientWithList(
		"devices",
		c,
		runtime.NewParameterCodec(scheme),
		namespace,
		func() *fleet.Device { return &fleet.Device{} },
		func() *fleet.DeviceList { return &fleet.DeviceList{} },
	),
		http.CloseIdleConnections}, nil
}
