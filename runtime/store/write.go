// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
)

// Set stores obj and replaces the object of its key, if any. It returns an error only if the
// key of obj cannot be read.
//
// If the store was made by ForObjects and has no feeder, Set moves the resourceVersion of the
// store forward to that of obj. So a test that fills a store by hand can test code that calls
// WaitFor.
func (s *Store[K, T]) Set(obj T) error {
	key, err := s.read(obj)
	if err != nil {
		return &KeyError{Err: err}
	}
	s.one(op[K, T]{kind: opSet, key: key, hash: s.hash(key), obj: obj})
	return nil
}

// Delete removes the object of key and reports whether there was one.
func (s *Store[K, T]) Delete(key K) bool {
	return s.one(op[K, T]{kind: opDelete, key: key, hash: s.hash(key)})
}

// Replace replaces all objects of the store by objs, and sets its resourceVersion. If two objects
// have the same key, the later one counts. If the key of an object cannot be read, Replace
// changes nothing and returns an error. If the source has gone backward, use [Batch.Rewind].
func (s *Store[K, T]) Replace(objs []T, resourceVersion string) error {
	var b Batch[K, T]
	b.Replace(objs)
	b.ResourceVersion(resourceVersion)
	return s.Apply(&b)
}

// Apply applies b atomically: a reader sees all of its writes or none. If the key of an object
// cannot be read, Apply changes nothing and returns the first [*KeyError].
func (s *Store[K, T]) Apply(b *Batch[K, T]) error {
	b.dropChanges()
	wanted, leftOut := s.keys(b)
	if len(leftOut) > 0 {
		return leftOut[0]
	}
	s.finish(s.apply(b, wanted))
	return nil
}

// lockToWrite locks s.write. It panics if an earlier write did not reach takeFailed, because
// the store may be half written.
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

// one does a single write and reports whether the key had an object.
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

// alone reports whether a write may change the current version in place. If it returns true, s.publish
// is locked. It returns false if a reader holds the version, if the old index values are not trusted, or
// if the write would call a comparison function while s.publish is locked.
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

// finish wakes waits and reports errors. The caller holds no lock.
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
	s.watch.Fire() // s.write is still locked, so only the signals of this write are fired
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

// land does a staged write and the rest of batch b; both may be nil. It changes the current
// version in place if it may, and otherwise a branch. Unless resourceVersion is "", it becomes
// the store's. The gate is opened even after a panic.
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

// aside applies a batch to a branch, so that no reader waits for it, and publishes the branch.
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

// advance returns the resourceVersion of obj if it is newer than the store's and the store has
// no feeder, and otherwise "". See Set. A feeder sets the version by batches, because the
// objects of a list are not in order of their versions. The caller holds write.
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
