// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"time"

	client_golang "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	corev1 "k8s.io/api/core/v1"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/kubeconn"
	"github.com/indexer-gen/indexer-gen/runtime/prometheus"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

func main() {
	replicas := flag.Int("replicas", 1, "how many replicas divide the Pods")
	replica := flag.Int("replica", ordinal(), "the number of this replica, from 0; in a StatefulSet its ordinal")
	listen := flag.String("listen", "localhost:8080", "the address that serves /metrics")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := start(ctx, *replica, *replicas, *listen); err != nil {
		fmt.Fprintln(os.Stderr, "exporter:", err)
		os.Exit(1)
	}
}

// ordinal returns the number at the end of the host's name, such as exporter-2, or 0.
func ordinal() int {
	host, _ := os.Hostname()
	n, err := strconv.Atoi(host[strings.LastIndex(host, "-")+1:])
	if err != nil {
		return 0
	}
	return n
}

func start(ctx context.Context, replica, replicas int, listen string) error {
	mine, err := shard.Of(replica, replicas)
	if err != nil {
		return err
	}
	conn, err := kubeconn.Load("")
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return err
	}
	pods := wire.Source[*Pod](conn, PodsResource, wire.ProtobufOf[corev1.Pod]())
	return run(ctx, listener, shard.Source(pods, shard.NewSet(mine)))
}

// run serves metrics about pods until ctx ends.
func run(ctx context.Context, listener net.Listener, pods source.Source[*Pod]) error {
	informers := NewInformers(InformerSources{Pods: pods}, informer.WithLogger(slog.Default()))
	defer informers.Shutdown()
	registry := client_golang.NewRegistry()
	registry.MustRegister(counts{informers.Pods().Lister()}, prometheus.NewCollector(informers.Stats))
	informers.Start(ctx)
	if err := informers.WaitForSync(ctx); err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

var podsPerNode = client_golang.NewDesc("pods", "Pods that this replica holds.", []string{"node", "phase"}, nil)

// counts collects how many Pods the index has under each value. It visits no Pod.
type counts struct{ pods PodLister }

func (c counts) Describe(descs chan<- *client_golang.Desc) { descs <- podsPerNode }

func (c counts) Collect(metrics chan<- client_golang.Metric) {
	for key, n := range c.pods.Handles().ByNodePhase.Values(c.pods.Reader()) {
		metrics <- client_golang.MustNewConstMetric(podsPerNode, client_golang.GaugeValue, float64(n),
			key.NodeName, string(key.Phase))
	}
}
