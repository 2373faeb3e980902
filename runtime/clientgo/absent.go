// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	clientdiscovery "k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/discovery"
)

// Prober returns a prober of the server of c, for [MayBeAbsent]. c must be one that sends requests: not a fake.
func Prober(c clientdiscovery.DiscoveryInterface) (*discovery.Prober, error) {
	client, ok := c.RESTClient().(*rest.RESTClient)
	if !ok || client == nil || client.Client == nil {
		return nil, fmt.Errorf("a %T sends no requests: pass a *discovery.DiscoveryClient", c)
	}
	return discovery.New(client.Client, client.Get().AbsPath("/").URL().String(), ""), nil
}

// MayBeAbsent returns a ListerWatcher like lw for a resource that the server may not serve. Use one prober for all
// resources of a server. An informer of this package then syncs without objects while the resource is absent, as
// package informer describes.
func MayBeAbsent(lw cache.ListerWatcher, p *discovery.Prober, resource schema.GroupVersionResource) cache.ListerWatcher {
	return optional{lw, p.Served(resource, nil)}
}

// optional is unwrapped by sourceOf.
type optional struct {
	cache.ListerWatcher
	served func(context.Context) (bool, error)
}

// Present reports whether the server serves the type of an informer of this package, and returns a channel that
// is closed when that changes. It returns false and nil for other informers.
func Present(i cache.SharedInformer) (present bool, changed <-chan struct{}) {
	own, err := ownOf(i)
	if err != nil {
		return false, nil
	}
	return own.informer.Present()
}

// Wake has an informer of this package whose type is absent ask at once whether it is served.
func Wake(i cache.SharedInformer) {
	if own, err := ownOf(i); err == nil {
		own.informer.Wake()
	}
}
