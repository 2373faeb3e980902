// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package clientgo is client-go's shared informer under measurement.
package clientgo

import (
	"context"
	"net/http"

	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/probe"
)

// Start starts an informer of a resource with the types and encodings of config.
// KUBE_FEATURE_WatchListClient in the environment says whether it lists.
func Start(
	ctx context.Context,
	job probe.Job,
	config rest.Config,
	resource string,
	example runtime.Object,
	node func(any) string,
) (probe.Cache, error) {
	c := &informer{}
	config.Host, config.BearerToken, config.CAData = job.URL, job.Token, job.CA
	config.QPS, config.DisableCompression = -1, !job.Compress
	config.WrapTransport = func(next http.RoundTripper) http.RoundTripper { return c.Wrap(next) }
	client, err := rest.RESTClientFor(&config)
	if err != nil {
		return nil, err
	}
	source := cache.NewListWatchFromClient(client, resource, "", fields.Everything())
	c.SharedIndexInformer = cache.NewSharedIndexInformer(source, example, 0, cache.Indexers{
		cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
		"node":               func(obj any) ([]string, error) { return []string{node(obj)}, nil },
	})
	go c.RunWithContext(ctx)
	return c, nil
}

type informer struct {
	cache.SharedIndexInformer
	probe.Requests
}

func (c *informer) Synced() bool { return c.HasSynced() }

func (c *informer) Len() int { return len(c.GetStore().ListKeys()) }

func (c *informer) Has(namespace, name string) bool {
	_, ok, _ := c.GetStore().GetByKey(namespace + "/" + name)
	return ok
}
