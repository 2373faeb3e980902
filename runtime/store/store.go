// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"sync"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/parts"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// Store has one object for each key, and indexes over the objects. It is the write side; read
// through Reader. Create a Store with New or ForObjects; the zero value is not usable.
//
// All methods are safe for concurrent use. Writes are serialized. Objects are shared with all
// readers and must not be changed while they are in the store.
type Store[K comparable, T any] struct {
	keyFuncs  *table.Keys[K, T]
	versionOf func(T) string // nil: objects have no resourceVersion

	// current is what readers load. Nothing in it changes.
	current atomic.Pointer[version[K, T]]

	// writeLock serializes writers. Index functions run under it. Readers never wait for it.
	writeLock                  sync.Mutex
	indexes                    index.Set[T]
	slotCount                  uint32            // that were used since the store was empty
	freeSlots                  []uint32          // those of them that are empty
	keyInProgress              K                 // of the write in progress
	singleBatch                delta.Batch[K, T] // memory of Set and Delete
	singleChanges              []Change[T]       // memory of Set and Delete
	lastWriteUnfinished        bool              // a write has begun and not ended
	queriesWatchedAtWriteStart bool              // a query is watched
	pendingFailures            []deferredErrorFunc
	detector                   Detector // nil: mutations are not detected
	holders                    parts.Holders

	optionalLabelIndex atomic.Pointer[index.Index[T, Label]] // nil: no index of labels

	queryWatches         notify.List                           // watches of queries; fired by publish
	waits                notify.List                           // waits; fired by wakeAndReport and Halt
	indexNames           atomic.Pointer[[]string]              // of the indexes; replaced, never changed
	extensionFuncsByType sync.Map                              // reflect.Type to func() V; see Extension
	haltedWaitError      atomic.Pointer[error]                 // why; nil: not halted
	feederExplain        atomic.Pointer[func(why error) error] // of the feeder; nil: none, so Set advances
	errorHandlers        errorHandlers
}

// New returns an empty store. key returns the key of an object. It is called once for each object that is
// written, under no lock. An informer does not call it, but takes the namespaces and names of its objects.
func New[K comparable, T any](key func(T) K, opts ...Option) *Store[K, T] {
	return newStore(table.NewKeys(key, false), opts)
}

func newStore[K comparable, T any](keys *table.Keys[K, T], opts []Option) *Store[K, T] {
	s := &Store[K, T]{keyFuncs: keys}
	s.current.Store(&version[K, T]{Table: table.Table[K, T]{Keys: keys}})
	o := options{errorHandlers: &s.errorHandlers}
	for _, opt := range opts {
		if opt != nil {
			opt(&o)
		}
	}
	s.setDetectorOrDefault(o.detectorOverride)
	return s
}

// ForObjects returns an empty store of Kubernetes objects by namespace and name. Keys take no
// memory, because they are read from the objects.
func ForObjects[T metav1.Object](opts ...Option) *Store[types.NamespacedName, T] {
	s := newStore(table.NewKeys(KeyOf[T], true), opts)
	s.versionOf = T.GetResourceVersion
	return s
}

// KeyOf returns the key of a Kubernetes object: its name, and its namespace, which is empty for
// cluster-scoped objects. It panics if obj is nil.
func KeyOf[T metav1.Object](obj T) types.NamespacedName {
	return types.NamespacedName{Namespace: obj.GetNamespace(), Name: obj.GetName()}
}

// version is one state of the store: everything that a reader sees. A write changes the nodes of
// its owner in place, and copies the others. After it is published nothing in it changes.
type version[K comparable, T any] struct {
	owner uint64
	table.Table[K, T]
	indexes   index.Versions
	positions parts.Positions
}
