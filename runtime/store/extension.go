// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"reflect"
	"sync"
)

// Extension returns the V of s. The first call for a type V makes it by create; calls meanwhile
// wait. Emitted listers keep their indexes this way, so all listers of one type over one store
// share them.
func Extension[V any, K comparable, T any](s *Store[K, T], create func() V) V {
	made, _ := s.extensionFuncsByType.LoadOrStore(reflect.TypeFor[V](), sync.OnceValue(create))
	return made.(func() V)()
}
