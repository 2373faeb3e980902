// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command factory is a program with a SharedInformerFactory of client-go under measurement. With
// job.Switched the factory gets its informer of Pods from package clientgo.
package main

import (
	"context"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/indexer-gen/indexer-gen/hack/internal/process"
	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/probe"
)

func main() { probe.Main(start) }

// program is the cache of the program. Its factory reads from the API server.
type program struct {
	probe.Requests
	job     probe.Job
	client  kubernetes.Interface
	factory *factory
}

func start(ctx context.Context, job probe.Job) (probe.Cache, error) {
	p := &program{job: job}
	config := &rest.Config{
		Host: job.URL, BearerToken: job.Token, TLSClientConfig: rest.TLSClientConfig{CAData: job.CA},
		QPS: -1, DisableCompression: !job.Compress,
		WrapTransport: func(next http.RoundTripper) http.RoundTripper { return p.Wrap(next) },
	}
	var err error
	if p.client, err = kubernetes.NewForConfig(config); err != nil {
		return nil, err
	}
	p.factory, err = startFactory(ctx, p.client, job.Switched)
	return p, err
}

func (p *program) Synced() bool { return p.factory.pods.Informer().HasSynced() }

func (p *program) Len() int { return len(p.factory.pods.Informer().GetStore().ListKeys()) }

func (p *program) Has(namespace, name string) bool {
	_, err := p.factory.pods.Lister().Pods(namespace).Get(name)
	return err == nil
}

// Measure implements probe.Measurer. It stops the factory and measures another one, which gets the Pods
// of the first.
func (p *program) Measure(ctx context.Context) (map[string]float64, error) {
	if err := p.factory.delivered(ctx, p.job.Objects); err != nil {
		return nil, err
	}
	figures := map[string]float64{}
	all := p.factory.pods.Informer().GetStore().List()
	pods := make([]*corev1.Pod, len(all))
	for i, obj := range all {
		pods[i] = obj.(*corev1.Pod)
	}
	full := process.LiveHeap(p.factory)
	if err := p.factory.read(pods, figures); err != nil {
		return nil, err
	}
	figures["watches"] = float64(p.Watches())
	p.factory.stop()
	p.factory = nil
	figures["overhead"] = float64(full-process.LiveHeap(pods)) / float64(len(pods))
	return figures, deliver(ctx, p.job, p.client, pods, figures)
}
