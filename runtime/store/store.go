// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"hash/maphash"
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/gate"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/inplace"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/trie"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Store holds one object for each key, and keeps indexes over them. This is
// the write side; reads go through Reader. It is made by New or ForObjects: a zero Store is
// of no use.
//
// All methods may be called from several goroutines at once; writes are done
// one after the other. Objects are shared with every reader and must not be
// changed once they are in.
type Store[K comparable, T any] struct {
	keyOf  func(T) K
	derive bool // keyOf is cheap, and may run while readers wait: keys are not kept

	versionOf func(T) string // nil: objects have no resourceVersion

	seed maphash.Seed

	// write excludes writers. Index functions run under it, and nothing that
	// a reader waits for does.
	write        sync.Mutex
	indexers     []indexer[K, T]
	ordered      bool     // the order of one of them is foreign code
	fingerprints []uint64 // by slot, see stage
	free         []uint32 // slots that were emptied
	next         uint32   // the first slot that was never used
	owner        uint64   // of the last branch
	frozen       uint64   // the last owner of which a reader may have taken a version
	staged       staged[K, T]
	upcoming     upcoming[T]
	inplace      inplace.Writes[K, T]
	moved        int  // the index of which a value moved last
	replacing    bool // the objects of a Replace are being set
	writing      bool // a write has begun
	watched      bool // somebody watches a query
	failed       []failure
	detector     detector[K, T] // nil: mutations are not detected
	streams      *streams       // nil: one source feeds the store

	// publish guards current, and what hangs from it while shared is false.
	// No foreign code runs under it; what is allocated is what a single write copies. Each
	// is in a cache line of its own: what the writer does to its fields above would
	// take the line away from readers, which made a Get beside it a quarter slower.
	_       [64]byte
	publish gate.Gate
	_       [60]byte
	current *version[K, T]
	shared  atomic.Bool // a reader has taken current
	_       [48]byte

	order  func(a, b K) int
	labels *index[K, T, Label] // set before a version says that it has one

	watch   notify.List                           // watches of queries
	changed notify.List                           // waits: each write fires them, and so does Halt
	names   atomic.Pointer[[]string]              // of the indexes; never changed, only replaced
	halted  atomic.Pointer[halt]                  // nil: somebody feeds the store
	explain atomic.Pointer[func(why error) error] // nil: no feeder
	reports reports
}

// New returns an empty store of objects that key gives the keys of. It is
// called once for each object that is written, under no lock.
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

// ForObjects returns an empty store of Kubernetes objects, by namespace and
// name. The keys take no memory: they are read from the objects.
func ForObjects[T metav1.Object](opts ...Option) *Store[types.NamespacedName, T] {
	s := New(func(obj T) types.NamespacedName {
		return types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
	}, opts...)
	s.derive, s.versionOf = true, T.GetResourceVersion
	return s
}

// KeyOf returns the key of a Kubernetes object: its namespace, which is empty
// for cluster-scoped ones, and its name. A nil obj has none: it panics.
func KeyOf(obj metav1.Object) types.NamespacedName {
	return types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
}

// Reader returns the live read side: each of its reads sees the store as it
// is when that read begins.
func (s *Store[K, T]) Reader() Reader[K, T] { return Reader[K, T]{s: s} }

// freeze returns the current version, and has the next write leave it alone.
// It waits for at most one write to be published.
func (s *Store[K, T]) freeze() *version[K, T] {
	s.publish.RLock()
	v := s.current
	s.share()
	s.publish.RUnlock()
	return v
}

// share has the next write leave the current version alone. The caller holds
// publish for reading.
func (s *Store[K, T]) share() {
	if !s.shared.Load() {
		s.shared.Store(true)
	}
}

// branch returns a private successor of the current version. The caller holds
// write.
func (s *Store[K, T]) branch() *version[K, T] {
	s.owner++
	return s.current.branch(s.owner)
}

// above returns the owner after which the chunks of v were made that a write to v may
// change: if readers see v, all that none of them has taken; if not, those of v alone.
func (s *Store[K, T]) above(v *version[K, T]) uint64 {
	if v == s.current {
		return s.frozen
	}
	return v.owner - 1
}

// swap publishes a branch.
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

// find returns the slot of key in v.
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
