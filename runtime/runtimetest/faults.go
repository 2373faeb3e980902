// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package runtimetest

// CutWatches ends all watches, with err if that is not nil.
func (s *Server[T]) CutWatches(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cut++
	s.cutErr = err
	s.wake()
}

// Compact forgets what happened so far: watches cannot start before now, and continue
// tokens of earlier lists have expired. Watches that have been sent everything go on.
func (s *Server[T]) Compact() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget()
}

func (s *Server[T]) forget() {
	if n := len(s.log); n > 0 {
		s.dropped = s.log[n-1].version
	}
	s.compacted, s.log = s.version, nil
}

// Bookmark sends a bookmark of the current resourceVersion to all watches that allow
// bookmarks, now and not within a minute, as they get one anyway.
func (s *Server[T]) Bookmark() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.marked = s.version
	s.wake()
}

// Skip raises the resourceVersion, as writes to other resources do.
func (s *Server[T]) Skip(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version += n
}

// Fail has the next requests fail, one with each error; nil lets one pass.
func (s *Server[T]) Fail(errs ...error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures = append(s.failures, errs...)
}

// Rewind sets the resourceVersion back to that of an older state, as when etcd is
// restored from a backup, ends all watches and forgets what happened. The objects
// stay: write what the backup should hold first or afterwards.
func (s *Server[T]) Rewind(version int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version = version
	s.forget()
	s.dropped = 0
	s.cut++
	s.cutErr = nil
	s.wake()
}
