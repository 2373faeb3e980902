// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
)

// KnownObjects reads what the consumer holds, usually a store. A queue calls it without holding
// a lock.
type KnownObjects[K comparable, T any] interface {
	Get(key K) (T, bool)
	Keys() iter.Seq[K]
}

// Config configures an [InOrder] or a [DeltaFIFO]. Only Key is required.
type Config[K comparable, T any] struct {
	// Key returns the key of an object, or an error if it has none. It must be pure.
	Key func(T) (K, error)
	// BatchSize limits the deltas in a batch of an InOrder; 0 means 1000. A
	// list is never split. A DeltaFIFO ignores BatchSize.
	BatchSize int
	// KnownObjects reads the objects that the consumer holds. Replace looks there for objects
	// that vanished, and Resync for objects to repeat. KnownObjects must reflect a batch when its
	// process function returns. If KnownObjects is nil, Replace compares the list with the pending
	// deltas only, and Resync does nothing.
	KnownObjects KnownObjects[K, T]
	// Transform, if set, replaces each object before it is queued, usually by a smaller
	// one. It must keep the key. The write returns its error.
	Transform func(T) (T, error)
}

// delta returns a Delta of obj, which is not transformed yet.
func (c *Config[K, T]) deltaOf(t delta.Type, obj T) (delta.Delta[K, T], error) {
	key, err := c.Key(obj)
	if err != nil {
		return delta.Delta[K, T]{}, keyError(obj, err)
	}
	return delta.Delta[K, T]{Type: t, Key: key, Object: obj}, nil
}

// transform returns the object to queue in place of obj.
func (c *Config[K, T]) transform(obj T) (T, error) {
	if c.Transform == nil {
		return obj, nil
	}
	return c.Transform(obj)
}

// transformDelta transforms the object of d. A last known state is already transformed.
func (c *Config[K, T]) transformDelta(d *delta.Delta[K, T]) (err error) {
	if !d.NoObject && !d.FinalStateUnknown {
		d.Object, err = c.transform(d.Object)
	}
	return err
}

// readKnown returns the known objects whose keys are wanted.
func (c *Config[K, T]) readKnown(want func(K) bool) []delta.Delta[K, T] {
	if c.KnownObjects == nil {
		return nil
	}
	var ds []delta.Delta[K, T]
	for key := range c.KnownObjects.Keys() {
		if !want(key) {
			continue
		}
		if obj, ok := c.KnownObjects.Get(key); ok {
			ds = append(ds, delta.Delta[K, T]{Key: key, Object: obj})
		}
	}
	return ds
}

func all[K comparable](K) bool { return true }

// mustHaveKey panics if c has no Key.
func (c *Config[K, T]) mustHaveKey() {
	if c.Key == nil {
		panic("queue: Config.Key is not set") //nolint:forbidigo // a bug of the caller
	}
}
