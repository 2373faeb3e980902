// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package differential

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

type object = metav1.PartialObjectMetadata

// write is one entry of a server's history. It is of type Deleted, Added or Modified.
type write struct {
	version int
	typ     watch.EventType
	obj     *object // with that version
}

// reading is a complete list, or the complete initial objects of a stream: how many writes watches
// had sent before, and how many the list contains.
type reading struct{ after, at int }

// server is one API server of one resource. Its history is never forgotten, only
// refused.
type server struct {
	mu        sync.Mutex
	version   int
	history   []write
	compacted int // watches must not start before this version
	changed   chan struct{}

	away      bool                 // answers nothing
	failures  []error              // the next requests meet them
	cuts      int                  // how often watches have ended at once
	cutWith   error                // nil: in good order
	bookmarks int                  // how many have been sent to all
	unmarked  int                  // so many streams of initial objects will end before their bookmark
	expiring  int                  // so many continue tokens have expired
	streams   bool                 // knows WatchList
	cached    bool                 // answers lists with a resourceVersion from a cache, which knows no pages
	lag       int                  // the first list, and streams, are so many writes old
	hangs     int                  // if not 0: from so many requests on, watches send nothing
	tokens    map[string]remainder // what is left of lists

	sent     int // writes that the client has been sent, by watch or list
	readings []reading
	open     map[*stream]struct{}
	requests int
}

type remainder struct {
	objs []*object
	at   int
}

func newServer() *server {
	return &server{
		version: 1,
		changed: make(chan struct{}),
		tokens:  make(map[string]remainder),
		open:    make(map[*stream]struct{}),
	}
}

// do changes the server, and wakes its watches.
func (s *server) do(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	close(s.changed)
	s.changed = make(chan struct{})
}

// state returns what existed after the first n writes, by name.
func (s *server) state(n int) []*object {
	exists := make(map[string]*object)
	for _, w := range s.history[:n] {
		if w.typ == watch.Deleted {
			delete(exists, w.obj.Name)
		} else {
			exists[w.obj.Name] = w.obj
		}
	}
	objs := make([]*object, 0, len(exists))
	for _, obj := range exists {
		objs = append(objs, obj)
	}
	slices.SortFunc(objs, func(a, b *object) int { return compare(a.Name, b.Name) })
	return objs
}

// versionAt returns the resourceVersion after the first n writes.
func (s *server) versionAt(n int) int {
	switch n {
	case len(s.history):
		return s.version
	case 0:
		return 1
	}
	return s.history[n-1].version
}

// writesUpTo returns how many writes there were up to a version.
func (s *server) writesUpTo(version int) int {
	n, _ := slices.BinarySearchFunc(s.history, version+1, func(w write, v int) int { return w.version - v })
	return n
}

// admit counts a request and returns its failure, if any.
func (s *server) admit() error {
	s.requests++
	if s.requests > 100_000 {
		panic("differential: an informer asks without end")
	}
	if s.away {
		return &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	}
	if len(s.failures) > 0 {
		err := s.failures[0]
		s.failures = s.failures[1:]
		return err
	}
	return nil
}

// pageSize is how many objects are in a page at most.
const pageSize = 3

// list answers a list request.
func (s *server) list(opts metav1.ListOptions) ([]*object, metav1.ListMeta, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.admit(); err != nil {
		return nil, metav1.ListMeta{}, err
	}
	var all remainder
	if opts.Continue != "" {
		var known bool
		if all, known = s.tokens[opts.Continue]; !known || s.expiring > 0 {
			s.expiring = max(0, s.expiring-1)
			return nil, metav1.ListMeta{}, runtimetest.Expired()
		}
		delete(s.tokens, opts.Continue)
	} else {
		all.at = len(s.history)
		version, err := parse(opts.ResourceVersion)
		switch {
		case err != nil:
			return nil, metav1.ListMeta{}, err
		case version > s.version:
			return nil, metav1.ListMeta{}, runtimetest.TooLarge()
		case opts.ResourceVersion == "0":
			all.at = max(0, all.at-s.lag)
		}
		all.objs = s.state(all.at)
	}
	meta := metav1.ListMeta{ResourceVersion: strconv.Itoa(s.versionAt(all.at))}
	objs := all.objs
	paged := opts.Limit > 0 && (opts.Continue != "" || !s.cached || opts.ResourceVersion == "")
	if n := int(min(pageSize, opts.Limit)); paged && len(objs) > n {
		meta.Continue = fmt.Sprintf("%d-%d-%d", s.requests, all.at, len(objs))
		s.tokens[meta.Continue] = remainder{objs[n:], all.at}
		objs = objs[:n]
	}
	if meta.Continue == "" && opts.Limit != 1 {
		s.read(all.at)
	}
	return copies(objs), meta, nil
}

// read records that the client got a complete list.
func (s *server) read(at int) {
	s.readings = append(s.readings, reading{s.sent, at})
	s.sent = at
}

func copies(objs []*object) []*object {
	out := make([]*object, len(objs))
	for i, obj := range objs {
		out[i] = obj.DeepCopy()
	}
	return out
}

func parse(resourceVersion string) (int, error) {
	if resourceVersion == "" {
		return 0, nil
	}
	version, err := strconv.Atoi(resourceVersion)
	if err != nil {
		return 0, apierrors.NewBadRequest(err.Error())
	}
	return version, nil
}

// stream is a watch. It is read by one goroutine.
type stream struct {
	s       *server
	initial []*object // to be sent first
	at      int       // so many writes have been sent
	marks   bool      // bookmarks are wanted
	mark    int       // so many have been sent, or are too old
	begins  bool      // the bookmark that ends the initial objects is to be sent
	breaks  bool      // ends before that
	cuts    int
	over    <-chan time.Time
}

// watch begins a watch.
func (s *server) watch(opts metav1.ListOptions) (*stream, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.admit(); err != nil {
		return nil, err
	}
	version, err := parse(opts.ResourceVersion)
	if err != nil {
		return nil, err
	}
	w := &stream{s: s, marks: opts.AllowWatchBookmarks, mark: s.bookmarks, cuts: s.cuts}
	switch {
	case opts.SendInitialEvents != nil && !s.streams:
		return nil, runtimetest.WatchListForbidden()
	case opts.SendInitialEvents != nil && version > s.version:
		return nil, runtimetest.TooLarge()
	case opts.SendInitialEvents != nil:
		w.begins = true
		w.at = min(len(s.history), max(s.writesUpTo(version), len(s.history)-s.lag))
		w.initial = copies(s.state(w.at))
		if s.unmarked > 0 {
			s.unmarked--
			w.breaks = true
		}
	case version < s.compacted || version == 0:
		return nil, runtimetest.Expired()
	default:
		w.at = s.writesUpTo(version)
	}
	if opts.TimeoutSeconds != nil {
		w.over = time.After(time.Duration(*opts.TimeoutSeconds) * time.Second)
	}
	s.open[w] = struct{}{}
	return w, nil
}

// next waits for the next event. It returns false, and why, when there are no more.
func (w *stream) next(ctx context.Context) (watch.Event, bool, error) {
	for {
		event, due, changed, ended, err := w.take()
		switch {
		case due:
			return event, true, nil
		case ended:
			return event, false, err
		}
		select {
		case <-changed:
		case <-w.over:
			return event, false, nil
		case <-ctx.Done():
			return event, false, context.Cause(ctx)
		}
	}
}

func (w *stream) take() (event watch.Event, due bool, changed <-chan struct{}, ended bool, err error) {
	s := w.s
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.hangs > 0 && s.requests >= s.hangs:
		return event, false, s.changed, false, nil
	case w.cuts != s.cuts:
		return event, false, nil, true, s.cutWith
	case s.away:
		return event, false, nil, true, errReset
	case len(w.initial) > 0:
		event = watch.Event{Type: watch.Added, Object: w.initial[0]}
		w.initial = w.initial[1:]
		return event, true, nil, false, nil
	case w.breaks:
		return event, false, nil, true, nil
	case w.at < len(s.history):
		next := s.history[w.at]
		w.at++
		if !w.begins {
			s.sent = max(s.sent, w.at)
		}
		return watch.Event{Type: next.typ, Object: next.obj.DeepCopy()}, true, nil, false, nil
	case w.begins:
		w.begins, w.mark = false, s.bookmarks
		s.read(w.at)
		return mark(
			s.version,
			map[string]string{metav1.InitialEventsAnnotationKey: "true"},
		), true, nil, false, nil
	case w.marks && w.mark != s.bookmarks:
		w.mark = s.bookmarks
		return mark(s.version, nil), true, nil, false, nil
	}
	return event, false, s.changed, false, nil
}

func mark(version int, annotations map[string]string) watch.Event {
	return watch.Event{Type: watch.Bookmark, Object: &object{
		ObjectMeta: metav1.ObjectMeta{ResourceVersion: strconv.Itoa(version), Annotations: annotations},
	}}
}

// close ends the watch for the server.
func (w *stream) close() {
	w.s.mu.Lock()
	defer w.s.mu.Unlock()
	delete(w.s.open, w)
}

// rests reports whether the client has a watch that has sent everything.
func (s *server) rests() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for w := range s.open {
		if !w.begins && !w.breaks && w.at == len(s.history) {
			return true
		}
	}
	return false
}
