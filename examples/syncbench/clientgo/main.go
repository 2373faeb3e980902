// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command clientgo is client-go's shared informer under measurement.
package main

import (
	"context"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/examples/syncbench/internal/probe"
	"github.com/indexer-gen/indexer-gen/examples/syncbench/internal/widget"
)

// Whether it lists is for KUBE_FEATURE_WatchListClient in the environment to say.
func main() { probe.Main(start) }

func start(ctx context.Context, job probe.Job) (probe.Cache, error) {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(widget.GroupVersion, &widget.Widget{}, &widget.WidgetList{})
	metav1.AddToGroupVersion(scheme, widget.GroupVersion)
	c := &informer{}
	client, err := rest.RESTClientFor(&rest.Config{
		Host: job.URL, BearerToken: job.Token, TLSClientConfig: rest.TLSClientConfig{CAData: job.CA},
		QPS: -1, DisableCompression: !job.Compress, APIPath: "/apis",
		WrapTransport: func(next http.RoundTripper) http.RoundTripper { return c.Wrap(next) },
		ContentConfig: rest.ContentConfig{
			GroupVersion:         &widget.GroupVersion,
			NegotiatedSerializer: serializer.NewCodecFactory(scheme).WithoutConversion(),
		},
	})
	if err != nil {
		return nil, err
	}
	source := cache.NewListWatchFromClient(client, widget.Resource.Resource, "", fields.Everything())
	c.SharedIndexInformer = cache.NewSharedIndexInformer(source, &widget.Widget{}, 0, cache.Indexers{
		cache.NamespaceIndex: cache.MetaNamespaceIndexFunc,
		"node":               func(obj any) ([]string, error) { return []string{obj.(*widget.Widget).Spec.NodeName}, nil },
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
