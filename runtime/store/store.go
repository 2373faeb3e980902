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

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/gate"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/inplace"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/trie"
)

// Store has one object for each key, and indexes over the objects. It is the write side; read
// through Reader. Create a Store with New or ForObjects; the zero value is not usable.
//
// All methods are safe for concurrent use. Writes are serialized. Objects are shared with all
// readers and must not be changed while they are in the store.
type Store[K comparable, T any] struct {
	keyOf  func(T) K
	derive bool // keyOf is cheap and may run behind the gate: keys are not stored

	versionOf func(T) string // nil: objects have no resourceVersion

	seed maphash.Seed

	// write serializes writers. Index functions run under it. Readers never wait for it.
	write        sync.Mutex
	indexers     []indexer[K, T]
	ordered      bool     // an index has an order of the user's
	fingerprints []uint64 // by slot; see stage
	free         []uint32 // slots that were used and are empty
	next         uint32   // the first slot that was never used
	owner        uint64   // of the last branch
	frozen       uint64   // the last owner whose version a reader may have taken
	staged       staged[K, T]
	upcoming     upcoming[T]
	inplace      inplace.Writes[K, T]
	moved        int  // the index whose values changed last
	replacing    bool // the objects of a Replace are being set
	writing      bool // a write has begun and not ended
	watched      bool // a query is watched
	failed       []failure
	detector     detector[K, T] // nil: mutations are not detected
	streams      *streams       // nil: no batch has used From

	// publish guards current, and its nodes while shared is false. No foreign code runs
	// under it. It has a cache line of its own, and so has current. In a line with the
	// writer's fields they made a Get beside a writer a quarter slower.
	_       [64]byte
	publish gate.Gate
	_       [40]byte
	current *version[K, T]
	shared  atomic.Bool // a reader has taken current
	_       [48]byte

	order  func(a, b K) int
	labels *index[K, T, Label] // set before a version says that it has one

	watch   notify.List                           // watches of queries
	changed notify.List                           // waits: each write fires them, and so does Halt
	names   atomic.Pointer[[]string]              // of the indexes; replaced, never changed
	once    sync.Map                              // reflect.Type to func() V; see Once
	halted  atomic.Pointer[halt]                  // nil: not halted
	explain atomic.Pointer[func(why error) error] // nil: no feeder
	reports reports
}

// New returns an empty store. key returns the key of an object. It is called once for each
// object that is written, under no lock.
func New[K comparable, T any](key func(T) K, opts ...Option) *Store[K, T] {
	s := &Store[K, T]{
		keyOf:   key,
		seed:    maphash.MakeSeed(),
		current: &version[K, T]{},
		order:   keyOrder[K](),
	}
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

// freeze returns the current version and marks it as shared, so that the next write copies
// the nodes that it changes. It waits for at most one write to be published.
func (s *Store[K, T]) freeze() *version[K, T] {
	s.publish.RLock()
	v := s.current
	s.share()
	s.publish.RUnlock()
	return v
}

// share marks the current version as shared. The caller holds publish for reading.
func (s *Store[K, T]) share() {
	if !s.shared.Load() {
		s.shared.Store(true)
	}
}

// branch returns a private copy of the current version. The caller holds write.
func (s *Store[K, T]) branch() *version[K, T] {
	s.owner++
	return s.current.branch(s.owner)
}

// above returns a bound: a write to v may change the chunks of later owners in place. If v is
// current, those are the chunks that no reader has taken. Otherwise they are those of v only.
func (s *Store[K, T]) above(v *version[K, T]) uint64 {
	if v == s.current {
		return s.frozen
	}
	return v.owner - 1
}

// swap makes v the current version.
func (s *Store[K, T]) swap(v *version[K, T]) {
	s.inplace.Locate(&v.slots)
	s.publish.Lock()
	if s.shared.Load() {
		if s.inplace.Len() > 0 {
			s.publish.Unlock()
			s.copyInPlace(v)
			s.publish.Lock()
		}
		s.frozen = s.current.owner
	}
	s.inplace.Do()
	s.current = v
	s.shared.Store(false)
	s.publish.Unlock()
	s.inplace.Reset()
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
