// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"context"

	"k8s.io/client-go/tools/cache"
)

// MayBeAbsent returns a ListerWatcher like lw for a resource that the server may not serve. served reports whether the
// server serves it. Make it with one prober of package discovery for all resources of a server:
//
//	client, err := rest.HTTPClientFor(config)
//	prober := discovery.New(client, config.Host, config.UserAgent)
//	lw = clientgo.MayBeAbsent(lw, prober.Served(resource, nil))
//
// An informer of this package then syncs without objects while the resource is absent, as package informer describes.
func MayBeAbsent(lw cache.ListerWatcher, served func(context.Context) (bool, error)) cache.ListerWatcher {
	return optional{lw, served}
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
	return own.Present()
}

// IsPartAbsent is IsPartAbsent of the native informer behind an informer of this package. It returns false for others.
func IsPartAbsent(i cache.SharedInformer, name string) bool {
	own, err := ownOf(i)
	return err == nil && own.IsPartAbsent(name)
}

// Wake has an informer of this package whose type is absent ask at once whether it is served.
func Wake(i cache.SharedInformer) {
	if own, err := ownOf(i); err == nil {
		own.Wake()
	}
}
