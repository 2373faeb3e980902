// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
)

// Set stores obj in place of what its key held. It fails only if the key of
// obj cannot be read.
//
// If the store was made by ForObjects and no informer feeds it, a resourceVersion of obj
// that is newer than the store's becomes the store's: so a test that fills a store by hand
// can test code that calls WaitFor.
func (s *Store[K, T]) Set(obj T) error {
	key, err := s.read(obj)
	if err != nil {
		return &KeyError{Err: err}
	}
	s.one(op[K, T]{kind: opSet, key: key, hash: s.hash(key), obj: obj})
	return nil
}

// Delete removes what key holds and says whether there was anything.
func (s *Store[K, T]) Delete(key K) bool {
	return s.one(op[K, T]{kind: opDelete, key: key, hash: s.hash(key)})
}

// Replace has the store hold objs and nothing else, at resourceVersion. Of two
// objects with one key the later one counts. If the key of one cannot be read,
// nothing is done. That a source has gone backward has to be said, by [Batch.Rewind].
func (s *Store[K, T]) Replace(objs []T, resourceVersion string) error {
	var b Batch[K, T]
	b.Replace(objs)
	b.ResourceVersion(resourceVersion)
	return s.Apply(&b)
}

// Apply does the writes of b at once: a reader sees all of them or none. It fails, with the
// first [*KeyError], and does nothing, only if the key of an object cannot be read.
func (s *Store[K, T]) Apply(b *Batch[K, T]) error {
	b.dropChanges()
	wanted, misfits := s.keys(b)
	if len(misfits) > 0 {
		return misfits[0]
	}
	s.finish(s.apply(b, wanted))
	return nil
}

// lockToWrite excludes other writers until write is unlocked. A write that did not reach
// takeFailed has left the store half written.
func (s *Store[K, T]) lockToWrite() {
	s.write.Lock()
	if s.writing {
		s.write.Unlock()
		panic("indexer-gen: an earlier write to this store did not end: " + //nolint:forbidigo // the caller's bug
			"a callback called runtime.Goexit (as t.FailNow does), or panicked where that is not contained")
	}
	s.writing = true
}

func (s *Store[K, T]) apply(b *Batch[K, T], wanted []located[K]) []failure {
	s.lockToWrite()
	defer s.write.Unlock()
	s.watched = s.watch.Watched()
	s.enter(b)
	if !b.replace && len(b.ops) <= 1 && !b.rewind {
		s.few(b)
	} else {
		s.aside(b, wanted)
	}
	s.wrote(b.changes)
	s.unstage()
	s.shrink()
	return s.takeFailed()
}

// one applies a single write and says whether it found an object.
func (s *Store[K, T]) one(o op[K, T]) (had bool) {
	had, failed := s.oneLocked(o)
	s.finish(failed)
	return had
}

func (s *Store[K, T]) oneLocked(o op[K, T]) (had bool, failed []failure) {
	s.lockToWrite()
	defer s.write.Unlock()
	s.watched = s.watch.Watched()
	st := s.stage(s.current, &o)
	version := ""
	if o.kind == opSet {
		version = s.advance(o.obj)
	}
	s.land(st, nil, version)
	had = st.had
	if s.detector != nil {
		s.wrote([]Change[K, T]{st.change()})
	}
	s.unstage()
	if o.kind == opDelete {
		s.shrink()
	}
	return had, s.takeFailed()
}

// alone reports whether a single write may be done to the current version
// itself, and then has publish locked: not if a reader has taken that version,
// nor if the order of an index has to be asked.
func (s *Store[K, T]) alone(st *staged[K, T]) bool {
	if s.shared.Load() || st != nil && (!st.trusted || st.moves && s.ordered) {
		return false
	}
	s.publish.Lock()
	if !s.shared.Load() {
		return true
	}
	s.publish.Unlock()
	return false
}

// finish does what must wait until no lock is held.
func (s *Store[K, T]) finish(failed []failure) (reported []error) {
	s.changed.FireAll()
	for _, f := range failed {
		if err := f(); err != nil {
			reported = append(reported, err)
			s.reports.report(err)
		}
	}
	return reported
}

func (s *Store[K, T]) takeFailed() []failure {
	s.watch.Fire() // before another writer may note: what is due is of this write
	failed := s.failed
	s.failed, s.writing = nil, false
	return failed
}

// few applies a batch of at most one write.
func (s *Store[K, T]) few(b *Batch[K, T]) {
	var st *staged[K, T]
	if len(b.ops) == 1 {
		if st = s.stage(s.current, &b.ops[0]); !s.admit(st, b) {
			st = nil
		}
	}
	s.land(st, b, "")
}

// land does a staged write, nil for none, and what else a batch says, nil for nothing:
// in the current version if it may, else in a successor. A write by hand moves the store to
// resourceVersion, unless that is "". Whatever happens, the gate does not stay closed.
func (s *Store[K, T]) land(st *staged[K, T], b *Batch[K, T], resourceVersion string) {
	v := s.current
	alone := (b == nil || v.ownsStream(b)) && s.alone(st)
	if alone {
		defer s.publish.Unlock()
	} else {
		v = s.branch()
	}
	if st != nil {
		s.commit(v, st, b)
	}
	if b != nil {
		v.reach(b)
	}
	if resourceVersion != "" {
		v.resourceVersion = resourceVersion
	}
	if !alone {
		s.swap(v)
	}
}

// aside applies a batch to a private successor of the current version, where
// no reader waits for it, and publishes that.
func (s *Store[K, T]) aside(b *Batch[K, T], wanted []located[K]) {
	v := s.branch()
	if b.replace {
		s.replaceAll(v, b, wanted)
	}
	s.inplace.Expect(len(b.ops))
	for some := range slices.Chunk(b.ops, prefetchSize) {
		s.putAll(v, some, b)
	}
	v.reach(b)
	if b.leave {
		s.left(v, b)
	}
	s.swap(v)
}

// advance returns the version that the store reflects once obj is set by hand: the object's
// own if it is newer than the store's, else "". A test that fills a store moves the version
// this way. An informer reports versions by batch, because objects of a list come in no
// order; a store that it feeds stays where it is. The caller holds write.
func (s *Store[K, T]) advance(obj T) string {
	if s.versionOf == nil || s.explain.Load() != nil {
		return ""
	}
	next, now := s.versionOf(obj), s.current.resourceVersion
	order, err := resourceversion.Compare(cmp.Or(now, next), next)
	if err != nil || order == 0 && now != "" || order > 0 {
		return ""
	}
	return next
}
