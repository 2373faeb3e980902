// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import "context"

// Add queues that obj was created. See Push.
func (q *DeltaFIFO[K, T]) Add(ctx context.Context, obj T) error {
	return q.pushObject(ctx, Added, obj)
}

// Update queues that obj changed. See Push.
func (q *DeltaFIFO[K, T]) Update(ctx context.Context, obj T) error {
	return q.pushObject(ctx, Updated, obj)
}

// Delete queues that obj, in its final state, is gone. See Push.
func (q *DeltaFIFO[K, T]) Delete(ctx context.Context, obj T) error {
	return q.pushObject(ctx, Deleted, obj)
}

func (q *DeltaFIFO[K, T]) pushObject(ctx context.Context, t Type, obj T) error {
	key, err := q.cfg.Key(obj)
	if err != nil {
		return &KeyError{Object: obj, Err: err}
	}
	return q.Push(ctx, Delta[K, T]{Type: t, Key: key, Object: obj}, "")
}

// Push queues d, whose Key must be that of its Object, and that the source has been
// read up to resourceVersion, if that is not "". In order, it waits while two full
// batches are pending and returns the cause of ctx if that ends first, with nothing
// queued. In per-object mode a Deleted for an object that is neither pending nor, if the
// queue has a Known, known is dropped, and a Sync for one that is pending. Without Known no
// Deleted is dropped, so that a consumer may be told of one that it has never had.
func (q *DeltaFIFO[K, T]) Push(ctx context.Context, d Delta[K, T], resourceVersion string) error {
	if !d.NoObject && !d.FinalStateUnknown {
		obj, err := q.transform(d.Object)
		if err != nil {
			return err
		}
		d.Object = obj
	}
	drop := false
	if d.Type == Deleted && q.cfg.Mode == PerObject && q.cfg.Known != nil {
		defer q.recordKnown()()
		_, known := q.cfg.Known.Get(d.Key)
		drop = !known
	}
	return q.write(ctx, func() {
		if po, ok := q.lane.(*perObject[K, T]); ok && d.Type == Deleted {
			po.pushDelete(d, drop)
			return
		}
		q.lane.push(d, resourceVersion)
	})
}

// Bookmark queues that the source has been read up to resourceVersion, with nothing
// new. It never waits for room and costs none: the newest batch carries it. In
// per-object mode it does nothing.
func (q *DeltaFIFO[K, T]) Bookmark(resourceVersion string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.isClosed {
		return ErrClosed
	}
	if l, ok := q.lane.(*inOrder[K, T]); ok {
		l.bookmark(resourceVersion)
		q.readable.Raise()
	}
	return nil
}

// Resync queues a Sync for every known object that is not pending; in order, it
// queues that this be done when it is their turn, once even if called again before
// that. It never waits for room.
func (q *DeltaFIFO[K, T]) Resync() error {
	var known []Delta[K, T]
	if q.cfg.Mode == PerObject {
		defer q.recordKnown()()
		known = q.readKnown()
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.isClosed {
		return ErrClosed
	}
	if q.cfg.Known != nil {
		q.lane.resync(known)
		q.readable.Raise()
	}
	return nil
}

// recordKnown makes the lane remember what is processed until the function that it
// returns is called: a look at Known that is taken without the lock may or may not
// see it.
func (q *DeltaFIFO[K, T]) recordKnown() (stop func()) {
	set := func(on bool) {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.lane.record(on)
	}
	set(true)
	return func() { set(false) }
}

// transform returns what is to be queued in place of obj.
func (q *DeltaFIFO[K, T]) transform(obj T) (T, error) {
	if q.cfg.Transform == nil {
		return obj, nil
	}
	return q.cfg.Transform(obj)
}

// readKnown returns what Known holds.
func (q *DeltaFIFO[K, T]) readKnown() []Delta[K, T] {
	if q.cfg.Known == nil {
		return nil
	}
	return readKnown(q.cfg.Known, func(K) bool { return true })
}

// readKnown returns the known objects whose keys are wanted.
func readKnown[K comparable, T any](known Known[K, T], want func(K) bool) []Delta[K, T] {
	var ds []Delta[K, T]
	for key := range known.Keys() {
		if !want(key) {
			continue
		}
		if obj, ok := known.Get(key); ok {
			ds = append(ds, Delta[K, T]{Key: key, Object: obj})
		}
	}
	return ds
}

// write runs do under the lock as soon as there is room.
func (q *DeltaFIFO[K, T]) write(ctx context.Context, do func()) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.isClosed && q.lane.full() {
		q.waiting++
		q.mu.Unlock()
		err := q.writable.Wait(ctx, q.closed)
		q.mu.Lock()
		q.waiting--
		if err != nil {
			q.passRoom() // the signal may have been ours
			return err
		}
	}
	if q.isClosed {
		return ErrClosed
	}
	do()
	q.started = true
	q.checkSynced()
	q.readable.Raise()
	q.passRoom()
	return nil
}

// passRoom wakes the next producer if there is room left. The lock must be held.
func (q *DeltaFIFO[K, T]) passRoom() {
	if q.waiting > 0 && !q.lane.full() {
		q.writable.Raise()
	}
}
