// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

// kind is a kind of source, and how an informer reads it.
type kind struct {
	name  string
	wire  bool // package wire makes the requests
	start starter
}

// starter starts an informer that reads through some of c.
type starter func(ctx context.Context, c *clients, options []informer.Option) (subject, error)

// kinds are all kinds of sources.
func kinds() []kind {
	list := []informer.Option{informer.WithReflector(reflector.Settings{
		Backoff: backoff, NoWatchList: true,
	})}
	pages := []informer.Option{informer.WithReflector(reflector.Settings{
		Backoff: backoff, NoWatchList: true, Consistent: true, PageSize: 20,
	})}
	return []kind{
		{"wire", true, wireKind(clientOptions{}, nil)},
		{"wire list", true, wireKind(clientOptions{plain: true}, list)},
		{"wire gzip", true, wireKind(clientOptions{gzip: true}, list)},
		{"wire pages", true, wireKind(clientOptions{}, pages)},
		{"namespaces", true, namespacesKind},
		{"shard 0", true, shardKind(0, nil)},
		{"shard 1", true, shardKind(1, list)},
		{"metadata", true, metadataKind},
		{"unstructured", true, unstructuredKind},
		{"typed", false, typedKind(nil)},
		{"typed pages", false, typedKind(pages)},
		{"dynamic", false, dynamicKind},
	}
}

// startDevices starts an informer of whole devices.
func startDevices(
	ctx context.Context, src source.Source[*fleet.Device], reads scope, options []informer.Option,
) subject {
	s := store.ForObjects[*fleet.Device]()
	return start(ctx, src, s, reads, decodeDevice, deviceIndexes(s), options)
}

func wireKind(o clientOptions, more []informer.Option) starter {
	return func(ctx context.Context, c *clients, options []informer.Option) (subject, error) {
		src := wire.Source[*fleet.Device](c.conn(o), fleet.DevicesResource)
		return startDevices(ctx, src, scope{}, slices.Concat(options, more)), nil
	}
}

func namespacesKind(ctx context.Context, c *clients, options []informer.Option) (subject, error) {
	some := namespaces[:2]
	src := wire.Source[*fleet.Device](c.conn(clientOptions{}), fleet.DevicesResource,
		wire.InNamespaces(source.NewNamespaces(some...)))
	has := func(obj metav1.Object) bool { return slices.Contains(some, obj.GetNamespace()) }
	return startDevices(ctx, src, scope{has: has, streams: true}, options), nil
}

func shardKind(index int, more []informer.Option) starter {
	return func(ctx context.Context, c *clients, options []informer.Option) (subject, error) {
		mine, err := shard.Of(index, 2)
		if err != nil {
			return nil, err
		}
		src := shard.Source(wire.Source[*fleet.Device](c.conn(clientOptions{}), fleet.DevicesResource), shard.NewSet(mine))
		scoped := scope{has: mine.Contains, streams: true}
		return startDevices(ctx, src, scoped, slices.Concat(options, more)), nil
	}
}

func metadataKind(ctx context.Context, c *clients, options []informer.Option) (subject, error) {
	src := wire.Source[*metav1.PartialObjectMetadata](c.conn(clientOptions{}), fleet.DevicesResource)
	s, indexes := labelIndexed[*metav1.PartialObjectMetadata]()
	return start(ctx, src, s, scope{}, decodeMetadata, indexes, options), nil
}

func unstructuredKind(ctx context.Context, c *clients, options []informer.Option) (subject, error) {
	src := wire.Source[*unstructured.Unstructured](c.conn(clientOptions{plain: true}), fleet.DevicesResource)
	s, indexes := labelIndexed[*unstructured.Unstructured]()
	return start(ctx, src, s, scope{}, decodeUnstructured, indexes, options), nil
}

func typedKind(more []informer.Option) starter {
	return func(ctx context.Context, c *clients, options []informer.Option) (subject, error) {
		client, err := c.typed("")
		if err != nil {
			return nil, err
		}
		return startDevices(ctx, fleet.NewDeviceSource(client), scope{}, slices.Concat(options, more)), nil
	}
}

func dynamicKind(ctx context.Context, c *clients, options []informer.Option) (subject, error) {
	config, client, err := c.rest()
	if err != nil {
		return nil, err
	}
	all, err := dynamic.NewForConfigAndClient(config, client)
	if err != nil {
		return nil, err
	}
	items := func(l *unstructured.UnstructuredList) []unstructured.Unstructured { return l.Items }
	src := source.FromClient(all.Resource(fleet.DevicesResource), items)
	s, indexes := labelIndexed[*unstructured.Unstructured]()
	return start(ctx, src, s, scope{}, decodeUnstructured, indexes, options), nil
}
