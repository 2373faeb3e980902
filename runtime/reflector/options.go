// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Settings are the options of a [Reflector] that do not depend on the type of its objects. The zero
// value is ready to use.
type Settings struct {
	// LabelSelector and FieldSelector restrict what is listed and watched. The server decides
	// which fields it supports.
	LabelSelector, FieldSelector string

	// Consistent makes the first list come from etcd. Otherwise it may come from the server's cache
	// and be slightly old (resourceVersion "0").
	Consistent bool

	// PageSize is the limit of a list request; negative means none. 0 means 500 for a list at
	// resourceVersion "" or "0", and no limit for a list not older than a version, because a limit
	// would make the server bypass its cache, unless a list at "0" came in pages. Servers with a
	// cache ignore the limit of a list at "0", which is the first list unless Consistent is set.
	PageSize int64

	// MaxObjects bounds one list, or the initial events of a WatchList, so that endless pages do
	// not fill the memory. A longer list fails with ErrEndlessList and is retried. 0 means 5,000,000;
	// math.MaxInt means no bound.
	MaxObjects int

	// WatchTimeout is the minimum timeout requested for a watch; 5 minutes by default. Each watch
	// requests a random timeout between it and twice as much, so that clients started together do
	// not reconnect together.
	WatchTimeout time.Duration

	// NoWatchList makes the reflector always use LIST. Set it if the source never completes a
	// WatchList, as most fake clients; a source can say so, too. Otherwise the reflector uses WatchList
	// if the source supports it, until three attempts have failed.
	NoWatchList bool

	// WatchListStall and ListStall are how long a WatchList and a list may bring no new object. Then
	// the request is canceled and fails; it may take a quarter longer. They are 10 seconds and 5
	// minutes by default. A ListStall of less than a minute interrupts the retries that client-go's
	// clients make within one request.
	WatchListStall, ListStall time.Duration

	// Backoff is the wait after failures.
	Backoff Backoff
}

// Options configure a [Reflector]. The zero value is ready to use.
type Options[T any] struct {
	Settings

	// ResourceVersion is the last version read by an earlier reflector. The first list is not
	// older.
	ResourceVersion string

	// NoRelist is for sinks without a cache, which cannot compare a list with earlier state.
	// The existing objects are read once or, if ResourceVersion is set, not at all: the watch
	// starts there. Run returns when it would have to read them again, because the server no
	// longer has the version or has gone back.
	NoRelist bool

	// Known, if set, returns the object in the cache behind the sink. A list replaces each object that
	// equals its cached one by that, so that it is not in memory twice. The comparison is deep, so a list
	// also repairs cached objects that a caller has modified.
	Known func(key types.NamespacedName) (T, bool)

	// Wake, if set, has a reflector whose type is absent, or seems to be, ask at once whether the server serves the
	// type. The reflector receives from it.
	Wake <-chan struct{}

	// OnEvent, if set, is called with each Event, in order, on the reflector's goroutine, under no
	// lock: a few for each list and each watch, and one for each failure. The reflector waits for it.
	// If lists fail with the Reason Incomplete one after the other, it gets the failures of the 1st, 2nd, 3rd, 5th,
	// 9th, and so on.
	OnEvent func(Event)
}

func (s Settings) withDefaults() Settings {
	setDefault(&s.MaxObjects, 5_000_000)
	setDefault(&s.WatchTimeout, 5*time.Minute)
	setDefault(&s.WatchListStall, 10*time.Second)
	setDefault(&s.ListStall, 5*time.Minute)
	s.Backoff = s.Backoff.withDefaults()
	return s
}

// setDefault sets an option that has no usable value.
func setDefault[N int | time.Duration](option *N, value N) {
	if *option <= 0 {
		*option = value
	}
}
