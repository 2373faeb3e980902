// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package runtimetest

import (
	"fmt"
	"strconv"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// watcher is one watch of a server.
type watcher[T metav1.Object] struct {
	s         *Server[T]
	scope     scope
	initial   []event[T] // to be sent first
	end       int        // if not 0, the resourceVersion at which the initial events are complete
	at        int        // resourceVersion up to which it has been sent what happened
	marked    int
	bookmarks bool
	due       bool // a bookmark is, by the clock
	cut       int
}

// watch begins a watch.
func (s *Server[T]) watch(namespace string, opts metav1.ListOptions) (*watcher[T], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.request(true, namespace, opts); err != nil {
		return nil, err
	}
	scope, err := s.scopeOf(namespace, opts)
	if err != nil {
		return nil, err
	}
	w := &watcher[T]{
		s: s, scope: scope, at: s.version, marked: s.marked, cut: s.cut, bookmarks: opts.AllowWatchBookmarks,
	}
	streaming := opts.SendInitialEvents != nil && *opts.SendInitialEvents
	if streaming && s.NoWatchList {
		return nil, WatchListForbidden()
	}
	if at, err := strconv.Atoi(opts.ResourceVersion); err == nil && at > 0 {
		switch {
		case streaming:
			w.end = max(at, s.version)
		case at < s.compacted:
			return nil, expired(at, s.compacted)
		default:
			w.at = at
			return w, nil
		}
	} else if err != nil && opts.ResourceVersion != "" {
		return nil, apierrors.NewBadRequest("invalid resource version " + opts.ResourceVersion)
	}
	for _, key := range s.order {
		if obj := s.objects[key]; scope.has(obj) {
			w.initial = append(w.initial, eventOf(delta.Added, obj, obj.GetResourceVersion()))
		}
	}
	if streaming {
		w.end = max(w.end, s.version)
	}
	return w, nil
}

// next returns the events that are due, and a channel that is closed when there may
// be more. ended says that the watch ends after them, with err if that is not nil.
func (w *watcher[T]) next() (events []event[T], changed <-chan struct{}, ended bool, err error) {
	s := w.s
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.cut != s.cut {
		return nil, nil, true, s.cutErr
	}
	events, w.initial = w.initial, nil
	if w.at < s.dropped {
		return nil, nil, true, expired(w.at, s.compacted)
	}
	for i := range s.log {
		if entry := &s.log[i]; entry.version > w.at {
			if e, ok := w.see(entry); ok {
				events = append(events, e)
			}
		}
	}
	w.at = max(w.at, s.version)
	if w.end > 0 && s.version >= w.end {
		events = append(events, bookmark[T](delta.InitialEnd, s.version))
		w.end, w.marked = 0, s.marked
	}
	due := w.due
	w.due = false
	if w.at > s.version {
		return events, s.changed, false, nil
	}
	switch {
	case due && w.end == 0:
		events = append(events, bookmark[T](delta.Bookmark, s.version))
	case w.bookmarks && w.marked != s.marked:
		events = append(events, bookmark[T](delta.Bookmark, s.marked))
	}
	w.marked = s.marked
	return events, s.changed, false, nil
}

// see returns a write as this watch sees it: an object that is no longer selected is
// deleted to it.
func (w *watcher[T]) see(entry *write[T]) (event[T], bool) {
	was := entry.had && w.scope.has(entry.old)
	is := entry.has && w.scope.has(entry.new)
	version := strconv.Itoa(entry.version)
	switch {
	case was && is:
		return eventOf(delta.Updated, entry.new, version), true
	case is:
		return eventOf(delta.Added, entry.new, version), true
	case was:
		return eventOf(delta.Deleted, entry.old, version), true
	}
	return event[T]{}, false
}

func token(version, from int) string { return fmt.Sprintf("%d,%d", version, from) }

func parseToken(token string) (version, from int, ok bool) {
	n, err := fmt.Sscanf(token, "%d,%d", &version, &from)
	return version, from, n == 2 && err == nil
}
