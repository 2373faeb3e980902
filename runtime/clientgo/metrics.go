// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import "k8s.io/client-go/tools/cache"

// publish makes the informer publish its resourceVersion as client-go's metric of that name, which only a store
// of client-go can set. It must be called before Run.
func (i *sharedIndexInformer[T]) publish(id cache.InformerNameAndResource) {
	if id.Reserved() {
		i.published = cache.NewStore(cache.MetaNamespaceKeyFunc, cache.WithStoreMetrics(id, nil))
	}
}
