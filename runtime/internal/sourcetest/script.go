// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package sourcetest

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ErrNoReply is what a list gets that the script has no reply for.
var ErrNoReply = errors.New("sourcetest: the script has no reply to a further list")

// Script is a source with prepared replies: the first list gets the first list reply, and so on. A
// list without a reply fails with ErrNoReply; a watch without a reply sends nothing and does not end.
// Its methods are safe for concurrent use.
//
// A reflector reads the latest version of a source by a list of one object. A script replies to it
// without a version, so that the reflector resumes, unless Resumes has another reply.
type Script[T any] struct {
	// NoWatchList has the script say that it does not support WatchList.
	NoWatchList bool

	mu       sync.Mutex
	lists    []ListReply[T]
	watches  []WatchReply[T]
	resumes  []ListReply[T]
	requests []runtimetest.Request
}

// Lists appends replies to lists, one for each request, pages too. It returns s.
func (s *Script[T]) Lists(replies ...ListReply[T]) *Script[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lists = append(s.lists, replies...)
	return s
}

// Watches appends replies to watches. It returns s.
func (s *Script[T]) Watches(replies ...WatchReply[T]) *Script[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.watches = append(s.watches, replies...)
	return s
}

// Resumes appends replies to the lists of one object that precede a watch. It returns s.
func (s *Script[T]) Resumes(replies ...ListReply[T]) *Script[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resumes = append(s.resumes, replies...)
	return s
}

// Requests returns the requests so far, in order.
func (s *Script[T]) Requests() []runtimetest.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Source returns the script as a source.
func (s *Script[T]) Source() source.Source[T] {
	return source.Source[T]{ListerWatcher: s, NoWatchList: s.NoWatchList}
}

// List implements source.ListerWatcher.
func (s *Script[T]) List(
	ctx context.Context, opts metav1.ListOptions, each func(d source.Delta[T], err error) error,
) (metav1.ListMeta, error) {
	s.mu.Lock()
	s.requests = append(s.requests, runtimetest.Request{Options: opts, At: time.Now()})
	var reply ListReply[T]
	switch {
	case opts.Limit == 1 && opts.Continue == "":
		reply = Page[T]("", "")
		if len(s.resumes) > 0 {
			reply, s.resumes = s.resumes[0], s.resumes[1:]
		}
	case len(s.lists) > 0:
		reply, s.lists = s.lists[0], s.lists[1:]
	}
	s.mu.Unlock()
	if reply == nil {
		return metav1.ListMeta{}, ErrNoReply
	}
	return reply(ctx, opts, each)
}

// Watch implements source.ListerWatcher.
func (s *Script[T]) Watch(ctx context.Context, opts metav1.ListOptions, each Sender[T]) error {
	s.mu.Lock()
	s.requests = append(s.requests, runtimetest.Request{Watch: true, Options: opts, At: time.Now()})
	reply := Stream(Hang[T]())
	if len(s.watches) > 0 {
		reply, s.watches = s.watches[0], s.watches[1:]
	}
	s.mu.Unlock()
	return reply(ctx, opts, each)
}
