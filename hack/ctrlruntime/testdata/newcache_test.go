// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cache_test

import (
	"fmt"
	"os"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/cache"
)

// newCache takes the place of cache.New in the tests. The environment variable NEW_CACHE selects it.
func newCache(config *rest.Config, opts cache.Options) (cache.Cache, error) {
	switch variant := os.Getenv("NEW_CACHE"); variant {
	case "informer":
		if opts.NewInformer == nil {
			opts.NewInformer = clientgo.NewSharedIndexInformer
		}
		return cache.New(config, opts)
	case "cache":
		return ctrlruntime.NewCache(config, opts)
	default:
		return nil, fmt.Errorf("NEW_CACHE is %q: set it to informer or cache", variant)
	}
}
