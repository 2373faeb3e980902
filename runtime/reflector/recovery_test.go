// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package reflector_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	st "github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	rtt "github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// answers is a source that answers for ever by two functions, and counts the requests.
type answers struct {
	list           func(metav1.ListOptions) (metav1.ListMeta, error)
	watch          func() error
	lists, watches int
	most           int // requests, after which enough is called
	enough         func()
}

func (a *answers) count(n *int) {
	if *n++; a.lists+a.watches > a.most {
		a.enough() // in virtual time, a loop without a wait has no other end
	}
}

func (a *answers) List(_ context.Context, opts metav1.ListOptions, _ func(source.Delta[*object], error) error) (metav1.ListMeta, error) {
	a.count(&a.lists)
	return a.list(opts)
}

func (a *answers) Watch(_ context.Context, _ metav1.ListOptions, each st.Sender[*object]) error {
	a.count(&a.watches)
	if err := a.watch(); err != nil {
		return err
	}
	return each(delta.Bare[types.NamespacedName, *object](delta.Bookmark), "5", nil)
}

func listed(metav1.ListOptions) (metav1.ListMeta, error) {
	return metav1.ListMeta{ResourceVersion: "5"}, nil
}

// A server that fails in the same way for ever is requested less and less.
func TestRepeatedFailuresBackOff(t *testing.T) {
	for name, src := range map[string]*answers{
		"pages that nobody asked for, and no more of them": {list: func(opts metav1.ListOptions) (metav1.ListMeta, error) {
			if opts.Continue != "" {
				return metav1.ListMeta{}, rtt.Expired()
			}
			return metav1.ListMeta{ResourceVersion: "5", Continue: "t1"}, nil
		}},
		"a list, then 410":                 {list: listed, watch: func() error { return rtt.Expired() }},
		"a list, then a lost object":       {list: listed, watch: func() error { return storeReadError }},
		"a list, then a connection is cut": {list: listed, watch: func() error { return source.ErrCut }},
		"a list, then 500":                 {list: listed, watch: func() error { return status(500) }},
		"a list, then 403":                 {list: listed, watch: func() error { return status(403) }},
		"409":                              {list: func(metav1.ListOptions) (metav1.ListMeta, error) { return metav1.ListMeta{}, status(409) }},
		"503":                              {list: func(metav1.ListOptions) (metav1.ListMeta, error) { return metav1.ListMeta{}, status(503) }},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				// Waits reach 30 to 60 s within five minutes. An attempt is four requests at
				// most: two pages, twice.
				src.most, src.enough = 4*(3600/30+30), cancel
				reflector.New(source.Source[*object]{ListerWatcher: src, NoWatchList: true}, &sink{}, options{}).Run(ctx)
				if n := src.lists + src.watches; n > src.most {
					t.Errorf("more than %d requests within an hour: %d lists and %d watches", src.most, src.lists, src.watches)
				}
			})
		})
	}
}

// The time of the initial events does not count as that of the watch after them, so a WatchList that
// takes long and is followed by 410 again and again waits.
func TestSlowWatchListIsNoProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		steps := []st.Step[*object]{st.InitialEventsEnd[*object]("9"), st.Break[*object](rtt.Expired())}
		for n := range 8 {
			add := st.Added(obj(fmt.Sprint(n), "1"))
			steps = append([]st.Step[*object]{st.Sleep[*object](5 * time.Second), add}, steps...)
		}
		src := &st.Script[*object]{}
		for range 100 {
			src.Watches(st.Stream(steps...))
		}
		all := gaps(run(t, src, &sink{}, options{}, time.Hour))
		if last := all[len(all)-1]; len(all) > 60 || last < 70*time.Second {
			t.Errorf("%d WatchLists of 40 s in an hour, the last %v after the one before", len(all), last)
		}
	})
}

// Short watches that brought changes do not delay the recovery from a later outage.
func TestOldFailuresDoNotDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := (&st.Script[*object]{NoWatchList: true}).Lists(st.Objects[*object]("5"), st.Objects[*object]("8"))
		const faults = 100
		half := st.Sleep[*object](time.Second / 2)
		for n := range faults {
			change := st.Modified(obj("a", fmt.Sprint(100+n)))
			src.Watches(st.Stream(half, change, st.Break[*object](source.ErrCut))).Resumes(st.Objects[*object]("1000"))
		}
		restored := st.Objects[*object]("7")
		src.Watches(cut).Resumes(st.ListError[*object](status(503)), restored)
		requests := run(t, src, &sink{}, options{}, time.Hour)
		// The first list, then two requests for each fault, then cut, 503 and the restored server.
		outage := requests[1+2*faults:]
		if took := outage[3].At.Sub(outage[0].At); ask(outage[3]) != "list /500" || took > time.Second {
			t.Errorf("%q after %v, want a list within a second", ask(outage[3]), took)
		}
	})
}

// What an outage leads to is requested as soon as the server answers, however long the
// outage was.
func TestAnswerEndsAnOutage(t *testing.T) {
	away := status(503)
	var outage []st.ListReply[*object]
	for range 40 {
		outage = append(outage, st.ListError[*object](away))
	}
	const moment = 0
	for name, test := range map[string]struct {
		back    st.ListReply[*object] // to the first request that the server answers
		watches watches
		within  time.Duration // from that answer to the list
	}{
		"resumed, then 410":           {st.Objects[*object]("6"), watches{st.WatchError[*object](rtt.Expired())}, moment},
		"the server has gone back":    {st.Objects[*object]("4"), nil, moment},
		"resumed, then a lost object": {st.Objects[*object]("6"), watches{st.WatchError[*object](storeReadError)}, moment},
		// Its watch cache is not ready yet, for which it asks for a second.
		"resumed, then 429, then 410": {st.Objects[*object]("6"), watches{st.WatchError[*object](rtt.TooManyRequests(1)), st.WatchError[*object](rtt.Expired())}, 2200 * time.Millisecond},
		"resumed, cut, then 410":      {st.Objects[*object]("6"), watches{cut, st.WatchError[*object](rtt.Expired())}, 400 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				src := (&st.Script[*object]{NoWatchList: true}).
					Lists(st.Objects[*object]("5"), st.Objects[*object]("8")).
					Watches(st.Stream(minute, st.Break[*object](away))).Watches(test.watches...).
					Resumes(append(append([]st.ListReply[*object]{}, outage...), test.back)...)
				requests := run(t, src, &sink{}, options{}, time.Hour)
				back := 2 + len(outage) // after a list and a watch
				for _, q := range requests[back:] {
					if q.Watch || q.Options.Limit == 1 {
						continue
					}
					if after := q.At.Sub(requests[back].At); after > test.within {
						t.Errorf("listed %v after the server was back, want %v", after, test.within)
					}
					return
				}
				t.Error("nothing was listed")
			})
		})
	}
}
