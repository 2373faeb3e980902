// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"hash/maphash"
	"math/bits"
	"sync"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/stream"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/trie"
)

// Store has one object for each key, and indexes over the objects. It is the write side; read
// through Reader. Create a Store with New or ForObjects; the zero value is not usable.
//
// All methods are safe for concurrent use. Writes are serialized. Objects are shared with all
// readers and must not be changed while they are in the store.
type Store[K comparable, T any] struct {
	keyOf  func(T) K
	derive bool // keyOf is cheap: keys are read from the objects and not stored

	versionOf func(T) string // nil: objects have no resourceVersion

	seed maphash.Seed

	// current is what readers load. Nothing in it changes.
	current atomic.Pointer[version[K, T]]

	// write serializes writers. Index functions run under it. Readers never wait for it.
	write            sync.Mutex
	indexers         []index.Writer[T]
	fingerprints     []uint64    // by slot; see stage
	free             []uint32    // slots that were used and are empty
	next             uint32      // the first slot that was never used
	lone             Batch[K, T] // of Set and Delete
	staged           staged[K, T]
	lastChangedIndex int  // the index whose values changed last
	replacing        bool // the objects of a Replace are being set
	writing          bool // a write has begun and not ended
	watched          bool // a query is watched
	failed           []failure
	detector         detector[K, T] // nil: mutations are not detected
	sources          stream.Sources

	order  func(a, b K) int
	labels atomic.Pointer[index.Index[T, Label]] // nil: no index of labels

	watch   notify.List                           // watches of queries
	changed notify.List                           // waits: each write fires them, and so does Halt
	names   atomic.Pointer[[]string]              // of the indexes; replaced, never changed
	once    sync.Map                              // reflect.Type to func() V; see Extension
	halted  atomic.Pointer[halt]                  // nil: not halted
	explain atomic.Pointer[func(why error) error] // nil: no feeder
	reports reports
}

// New returns an empty store. key returns the key of an object. It is called once for each
// object that is written, under no lock.
func New[K comparable, T any](key func(T) K, opts ...Option) *Store[K, T] {
	s := &Store[K, T]{
		keyOf: key,
		seed:  maphash.MakeSeed(),
		order: keyOrder[K](),
	}
	s.current.Store(&version[K, T]{})
	o := options{reports: &s.reports}
	for _, opt := range opts {
		if opt != nil {
			opt(&o)
		}
	}
	s.reports.panics = detectsByEnvironment()
	if o.detect || s.reports.panics {
		s.detector = detector[K, T]{}
	}
	return s
}

// ForObjects returns an empty store of Kubernetes objects by namespace and name. Keys take no
// memory, because they are read from the objects.
func ForObjects[T metav1.Object](opts ...Option) *Store[types.NamespacedName, T] {
	s := New(func(obj T) types.NamespacedName {
		return types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
	}, opts...)
	s.derive, s.versionOf = true, T.GetResourceVersion
	return s
}

// KeyOf returns the key of a Kubernetes object: its name, and its namespace, which is empty for
// cluster-scoped objects. It panics if obj is nil.
func KeyOf(obj metav1.Object) types.NamespacedName {
	return types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
}

// Reader returns a live reader. Each of its reads sees the store as it is when the read
// begins.
func (s *Store[K, T]) Reader() Reader[K, T] { return Reader[K, T]{s: s} }

// branch returns a copy of the current version for a write to change. It shares all nodes with
// it. The caller holds write.
func (s *Store[K, T]) branch() *version[K, T] {
	v := *s.current.Load()
	v.owner++
	return &v
}

// get returns the object of key in v.
func (s *Store[K, T]) get(v *version[K, T], hash uint64, key K) (obj T, ok bool) {
	for l := v.keys.Leaf(hash); l != nil; l = l.Overflow {
		for m := l.Matches(trie.TagOf(hash)); m != 0; m &= m - 1 {
			slot := l.Entries[bits.TrailingZeros32(m)]
			ch, i := v.slots.ChunkOf(slot), slot&(slots.ChunkSize-1)
			obj := ch.Objs[i]
			if s.derive && s.keyOf(obj) == key || !s.derive && ch.Keys[i] == key {
				return obj, true
			}
		}
	}
	return obj, false
}

// find returns the slot of key in v, if key has an object.
func (s *Store[K, T]) find(v *version[K, T], hash uint64, key K) (uint32, bool) {
	for l := v.keys.Leaf(hash); l != nil; l = l.Overflow {
		for m := l.Matches(trie.TagOf(hash)); m != 0; m &= m - 1 {
			if slot := l.Entries[bits.TrailingZeros32(m)]; s.holds(v, slot, key) {
				return slot, true
			}
		}
	}
	return 0, false
}

func (s *Store[K, T]) hash(key K) uint64 { return maphash.Comparable(s.seed, key) }
