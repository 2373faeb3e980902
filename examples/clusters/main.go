// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/discovery"
	"github.com/indexer-gen/indexer-gen/runtime/kubeconn"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "clusters:", err)
		os.Exit(1)
	}
}

// run prints the offline devices of every cluster, and again after one cluster has left.
func run(ctx context.Context, out io.Writer, kubeconfigs []string) error {
	sources, err := sourcesOf(kubeconfigs)
	if err != nil {
		return err
	}
	all := clusters{all: make(map[string]*v1alpha1.Informers)}
	for name, devices := range sources {
		informers := v1alpha1.NewInformers(v1alpha1.InformerSources{Devices: devices})
		informers.Devices() // which requests the informer
		all.add(ctx, name, informers)
	}
	patience, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	err = all.waitForSync(patience)
	for name := range all.now() { // removes them all, one by one
		if err == nil {
			printOffline(out, &all)
			err = all.remove(patience, name)
		}
	}
	return err
}

func printOffline(out io.Writer, all *clusters) {
	for name, informers := range all.now() {
		for d := range informers.Devices().Lister().ByPhase(v1alpha1.DeviceOffline) {
			fmt.Fprintf(out, "%s: %s/%s is offline\n", name, d.Namespace, d.Name)
		}
	}
	fmt.Fprintln(out)
}

// sourcesOf returns the devices of each cluster by its name.
func sourcesOf(kubeconfigs []string) (map[string]source.Source[*v1alpha1.Device], error) {
	if len(kubeconfigs) == 0 {
		return map[string]source.Source[*v1alpha1.Device]{
			"east": inProcess("camera-1", "camera-2"), "west": inProcess("camera-1"),
		}, nil
	}
	sources := make(map[string]source.Source[*v1alpha1.Device])
	for _, path := range kubeconfigs {
		conn, err := kubeconn.Load(path)
		if err != nil {
			return nil, err
		}
		// A cluster may lack the CustomResourceDefinition, and get it later.
		prober := discovery.New(conn.Client, conn.BaseURL, conn.UserAgent)
		sources[path] = wire.Source[*v1alpha1.Device](conn, v1alpha1.DevicesResource, wire.MayBeAbsent(prober))
	}
	return sources, nil
}

// inProcess returns the devices of a cluster in this process. All are offline.
func inProcess(names ...string) source.Source[*v1alpha1.Device] {
	server := runtimetest.NewServer[*v1alpha1.Device]()
	for _, name := range names {
		server.Set(&v1alpha1.Device{
			ObjectMeta: metav1.ObjectMeta{Namespace: "fleet", Name: name},
			Status:     v1alpha1.DeviceStatus{Phase: v1alpha1.DeviceOffline},
		})
	}
	return server.Source()
}
