// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slotset"
)

// everything is the query for all objects.
type everything[K comparable, T any] struct{}

func (everything[K, T]) in(_ *Store[K, T], v *version[K, T]) slotset.Set {
	return slotset.Live[K, T]{Slots: &v.slots, N: v.keys.Len()}
}

func (everything[K, T]) count(r Reader[K, T]) int { return r.Len() }

func (everything[K, T]) Watch(*notify.List, *notify.Signal) (all bool) { return true }
func (everything[K, T]) Unwatch(*notify.List, *notify.Signal)          {}
