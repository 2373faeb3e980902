// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
)

// NewCache returns a cache with our informers. It is a value for manager.Options.NewCache and
// cluster.Options.NewCache:
//
//	mgr, err := ctrl.NewManager(config, ctrl.Options{NewCache: ctrlruntime.NewCache})
func NewCache(config *rest.Config, opts cache.Options) (cache.Cache, error) {
	if opts.NewInformer == nil {
		opts.NewInformer = clientgo.NewSharedIndexInformer
	}
	return cache.New(config, opts)
}
