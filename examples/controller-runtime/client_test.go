// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A native informer reads through a client of controller-runtime.
func TestFromClient(t *testing.T) {
	m := create(t, options())
	c, err := client.NewWithWatch(restconfig.New(api.Endpoint),
		client.Options{Scheme: m.GetScheme(), Mapper: m.GetRESTMapper(), HTTPClient: m.GetHTTPClient()})
	do(t, err)
	a, b, other := device("a", "x", fleet.DeviceOnline), device("b", "x", ""), device("other", "x", "")
	namespace := fresh("client")
	a.Namespace, b.Namespace, other.Namespace = namespace, namespace, namespace
	a.Labels, b.Labels = map[string]string{"app": "x"}, map[string]string{"app": "x"}
	do(t, c.Create(t.Context(), a))
	do(t, c.Create(t.Context(), other))

	items := func(l *fleet.DeviceList) []fleet.Device { return l.Items }
	devices := fleet.NewDeviceInformer(ctrlruntime.FromClient(c, namespace, items),
		informer.WithReflector(reflector.Settings{LabelSelector: "app=x"}))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	ended := make(chan error)
	go func() { ended <- devices.Run(ctx) }()
	defer func() {
		cancel()
		do(t, <-ended)
		m.GetHTTPClient().CloseIdleConnections()
	}()
	do(t, devices.WaitFor(ctx, a.ResourceVersion)) // the server may list what it had before the write
	names := func() (names []string) {
		for d := range devices.Lister().BySite("x") {
			names = append(names, d.Name)
		}
		slices.Sort(names)
		return names
	}
	if got := names(); !slices.Equal(got, []string{"a"}) {
		t.Errorf("with the first device written, it has %v", got)
	}
	do(t, c.Create(ctx, b))
	do(t, devices.WaitFor(ctx, b.ResourceVersion))
	if got := names(); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("after an addition, it has %v", got)
	}
	a.Spec.Site = "y"
	do(t, c.Update(ctx, a))
	do(t, devices.WaitFor(ctx, a.ResourceVersion))
	if got := names(); !slices.Equal(got, []string{"b"}) {
		t.Errorf("after an update, it has %v", got)
	}
}
