// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Defaults of Options.
const (
	DefaultPageSize          = 500
	DefaultWatchTimeout      = 5 * time.Minute
	DefaultShortWatch        = time.Second
	DefaultWatchListAttempts = 3
	DefaultWatchListStall    = 10 * time.Second
	DefaultListStall         = 5 * time.Minute
	DefaultMaxPages          = 20_000
	DefaultMaxObjects        = 5_000_000
)

// Options say what a [Reflector] reads and how. The zero value is good.
type Options[T any] struct {
	// LabelSelector and FieldSelector restrict what is listed and watched.
	LabelSelector, FieldSelector string

	// ResourceVersion is where an earlier reflector stopped: the first list will
	// not be older. If "", the first list may come from the server's cache and be
	// a little old (resourceVersion "0"), unless Consistent is set: then it is read
	// through to etcd.
	ResourceVersion string
	Consistent      bool

	// NoRelist is for those who keep no cache that a list could be compared with. What
	// exists is read once or, if ResourceVersion is set, not at all: the watch begins
	// there. Run ends when it would have to be read again, because the server has
	// forgotten the version that was reached, or has gone back in time.
	NoRelist bool

	// PageSize is how many objects one list request asks for; negative means all. 0
	// means DefaultPageSize for a list at resourceVersion "" or "0", and all for one that
	// is not to be older than a version, which a limit would keep from the server's cache,
	// unless a list at "0" came in pages. If set, every list asks for so many. What
	// comes is up to the server: one that has a cache answers a list at "0", which is the
	// first unless Consistent is set, from there, and whole, whatever the limit.
	PageSize int64

	// MaxPages and MaxObjects bound one list, so that a server whose pages never end does
	// not fill the memory. A list beyond them fails with ErrEndlessList and is retried
	// like any other. MaxObjects also bounds the initial events of a WatchList. 0 means
	// DefaultMaxPages and DefaultMaxObjects; math.MaxInt means no bound.
	MaxPages, MaxObjects int

	// WatchTimeout is the least time after which the server is asked to end a
	// watch; each gets a random time between that and twice as much, so that
	// clients that started together do not reconnect together. A watch that ends
	// within ShortWatch counts as a failure.
	WatchTimeout, ShortWatch time.Duration

	// NoWatchList has the reflector list and never stream the initial objects.
	// Otherwise it tries to, if the source supports that: an attempt fails that
	// ends, or for WatchListStall receives nothing, before the server has said that
	// all is sent. After WatchListAttempts failures the reflector lists, and
	// does so from then on if the list succeeds. Bookmarks, and changes of objects
	// that were received already, do not count as something; and WatchTimeout bounds
	// an attempt as it does any watch.
	NoWatchList       bool
	WatchListAttempts int
	WatchListStall    time.Duration

	// ListStall is for how long a list request may bring no object before it is
	// canceled and counts as failed. That, and WatchListStall, may take up to a quarter
	// longer to be noticed. A list that stalls for 30 s is reported before that, by
	// ErrSlowList and Progress.Stalled.
	ListStall time.Duration

	// Backoff is how long to wait after failures.
	Backoff Backoff

	// Transform, if set, replaces each object as soon as it is decoded, usually by
	// a smaller one. It must not change namespace, name and resourceVersion. An
	// object for which it fails or panics, or returns nil or an object of another name, is
	// treated as one that cannot be decoded. It runs on the reflector's goroutine, under
	// no lock.
	Transform func(T) (T, error)

	// Known, if set, tells what the cache behind the sink holds, as it is after
	// Transform. What a list finds to be equal is that object then, so that it is
	// not in memory twice. It is compared with all that it holds: a list repairs what
	// somebody has done to an object of the cache.
	Known func(key types.NamespacedName) (T, bool)

	// OnEvent, if set, is told what the reflector does, on its goroutine, under no lock:
	// a few events for each list and each watch. It delays the reflector.
	OnEvent func(Event)

	// OnError, if set, is told every error, as an *Error, in order, on the
	// reflector's goroutine, under no lock. It delays the reflector. ErrSlowList alone
	// comes on another goroutine, while the reflector waits for the list, and possibly
	// beside another call.
	OnError func(error)
}

func (o Options[T]) withDefaults() Options[T] {
	set := func(d *time.Duration, def time.Duration) {
		if *d <= 0 {
			*d = def
		}
	}
	set(&o.WatchTimeout, DefaultWatchTimeout)
	set(&o.ShortWatch, DefaultShortWatch)
	set(&o.WatchListStall, DefaultWatchListStall)
	set(&o.ListStall, DefaultListStall)
	number := func(n *int, def int) {
		if *n <= 0 {
			*n = def
		}
	}
	number(&o.WatchListAttempts, DefaultWatchListAttempts)
	number(&o.MaxPages, DefaultMaxPages)
	number(&o.MaxObjects, DefaultMaxObjects)
	o.Backoff = o.Backoff.withDefaults()
	return o
}
