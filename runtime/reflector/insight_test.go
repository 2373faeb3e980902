// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package reflector_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	st "github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	rtt "github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// page is a page of some objects, each of which takes a second.
func page(more string, names ...string) st.ListReply[*object] {
	return func(_ context.Context, _ metav1.ListOptions, each func(source.Delta[*object], error) error) (metav1.ListMeta, error) {
		for _, name := range names {
			time.Sleep(time.Second)
			if err := each(source.DeltaOf(delta.Replaced, obj(name, "1"))); err != nil {
				return metav1.ListMeta{}, err
			}
		}
		return metav1.ListMeta{ResourceVersion: "5", Continue: more}, nil
	}
}

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := (&st.Script[*object]{NoWatchList: true}).
			Lists(st.ListError[*object](apierrors.NewServiceUnavailable("no")), page("t", "a"), st.ListError[*object](rtt.Expired()),
				page("x", "a", "b"), page("y", "c", "d"), page("", "e"))
		r := reflector.New(src.Source(), &sink{}, options{Settings: reflector.Settings{Backoff: reflector.Backoff{Initial: 10 * time.Second, Jitter: -1}}})
		show := func() string {
			p := r.Stats().Progress
			return fmt.Sprintf("%s for %v: %d, %d failures, %v", p.Doing, time.Since(p.Since), p.Objects, p.Failures, p.LastError != nil)
		}
		expect := func(want string) {
			t.Helper()
			synctest.Wait()
			if got := show(); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
		expect("not started for 0s: 0, 0 failures, false")
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); r.Run(ctx) }()
		time.Sleep(4 * time.Second)
		expect("waiting for 4s: 0, 1 failures, true")
		time.Sleep(7 * time.Second)
		expect("listing for 0s: 0, 1 failures, true") // the list has started over
		time.Sleep(time.Second)
		expect("listing for 1s: 1, 1 failures, true")
		time.Sleep(2 * time.Second)
		expect("listing for 3s: 3, 1 failures, true")
		time.Sleep(time.Second)
		expect("listing for 4s: 4, 1 failures, true")
		time.Sleep(time.Second)
		expect("watching for 0s: 5, 0 failures, true")
		cancel()
		<-done
		expect("ended for 0s: 5, 0 failures, true")
	})
}

// TestEventsAndStats follows a reflector through what can happen to it.
func TestEventsAndStats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := (&st.Script[*object]{}).
			Watches(
				st.WatchError[*object](rtt.WatchListForbidden()),
				st.Stream(st.Added(obj("b", "6")), st.Sleep[*object](time.Minute), st.Bookmark[*object]("8"), st.Break[*object](io.ErrUnexpectedEOF)),
				st.Stream(st.Deleted(obj("b", "9")), st.Modified(obj("a", "10")), st.Sleep[*object](time.Minute), st.Break[*object](rtt.Expired())),
				st.Stream(st.Sleep[*object](time.Minute)),
			).
			Lists(st.Objects("5", obj("a", "1")), st.Objects("4", obj("a", "1"), obj("c", "2")))
		var log []string
		r := reflector.New(src.Source(), &sink{}, options{
			Settings: reflector.Settings{Backoff: reflector.Backoff{Initial: time.Second, Jitter: -1}},
			OnEvent: func(e reflector.Event) {
				text := fmt.Sprintf("%s %s %q", e.Type, e.Op, e.ResourceVersion)
				if e.Objects > 0 {
					text += fmt.Sprintf(" %d", e.Objects)
				}
				if e.Rewound {
					text += " rewound"
				}
				if e.Always {
					text += " always"
				}
				if e.Took > 0 {
					text += fmt.Sprint(" ", e.Took)
				}
				if e.Reason != "" {
					text += " " + e.Reason
				}
				if e.Err != nil {
					text += " " + reflector.Reason(e.Err)
				}
				log = append(log, text)
			},
		})
		ctx, cancel := context.WithTimeout(t.Context(), 190*time.Second)
		defer cancel()
		r.Run(ctx)
		want := []string{
			`listing watch list ""`,
			`failed watch list "" Invalid Invalid`,
			`no watch list watch list "" always Invalid`,
			`listing list "0"`,
			`listed list "5" 1`,
			`watching watch "5"`,
			`watch ended watch "8" 2 1m0s Connection Connection`,
			`failed watch "" Connection Connection`,
			`waiting resume "" 1s`,
			`resuming resume "8"`,
			`watching watch "8"`,
			`watch ended watch "10" 2 1m0s Expired Expired`,
			`failed watch "" Expired Expired`,
			`listing list "10" Expired`,
			`listed list "4" 2 rewound`,
			`watching watch "4"`,
			`watch ended watch "4" 1m0s Closed`,
			`resuming resume "4"`,
			`watching watch "4"`,
			`ended  ""`,
		}
		if got := strings.Join(log, "\n"); got != strings.Join(want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
		}

		s := r.Stats()
		if s.Requests[reflector.OpList] != 2 || s.Requests[reflector.OpWatch] != 4 || s.Requests[reflector.OpWatchList] != 1 || s.Requests[reflector.OpResume] != 2 {
			t.Errorf("requests %v", s.Requests)
		}
		if s.Events[delta.Added] != 1 || s.Events[delta.Updated] != 1 || s.Events[delta.Deleted] != 1 || s.Events[delta.Bookmark] != 1 {
			t.Errorf("events %v", s.Events)
		}
		if s.WatchEnds["Connection"] != 1 || s.WatchEnds["Expired"] != 1 || s.WatchEnds["Closed"] != 1 || len(s.WatchEnds) != 3 {
			t.Errorf("watches ended by %v", s.WatchEnds)
		}
		if s.Errors[reflector.ErrorKind{Op: reflector.OpWatchList, Reason: "Invalid"}] != 1 || s.Errors[reflector.ErrorKind{Op: reflector.OpWatch, Reason: "Expired"}] != 1 || len(s.Errors) != 3 {
			t.Errorf("errors %v", s.Errors)
		}
		if s.ListTimes.Count() != 2 || s.Waited != time.Second || s.Rewinds != 1 || !s.NoWatchList || s.ResourceVersion != "4" {
			t.Errorf("got %+v", s)
		}
		if heard, marked := time.Since(s.Heard), time.Since(s.Bookmarked); heard != 69*time.Second || marked != 130*time.Second {
			t.Errorf("heard of %v ago, a bookmark %v ago", heard, marked)
		}
	})
}

// Stats say when the last page ended, while the next one does not come.
func TestHeardOfAPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := (&st.Script[*object]{NoWatchList: true}).
			Lists(st.Page("5", "more", st.Items(obj("a", "1"))...), st.ListHang[*object]())
		r := reflector.New(src.Source(), &sink{}, options{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r.Run(ctx)
		if heard := time.Since(r.Stats().Heard); heard != time.Second {
			t.Errorf("heard of %v ago, want 1s", heard)
		}
	})
}

// Stats count the objects of a WatchList before it is complete.
func TestObjectsOfAWatchList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := new(st.Script[*object]).
			Watches(st.Stream(st.Added(obj("a", "1")), st.Added(obj("b", "2")), st.Hang[*object]()))
		r := reflector.New(src.Source(), &sink{}, options{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		r.Run(ctx)
		if n := r.Stats().Objects; n != 2 {
			t.Errorf("%d objects, want 2", n)
		}
	})
}

// After several failures of a WatchList, an event reports the LIST that takes its place this time.
func TestEventOfAListInstead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		away := apierrors.NewServiceUnavailable("away")
		fails := st.WatchError[*object](away)
		src := new(st.Script[*object]).Watches(fails, fails, fails).Lists(st.Objects[*object]("5"))
		var got []reflector.Event
		opts := options{OnEvent: func(e reflector.Event) {
			if e.Type == reflector.EventNoWatchList {
				got = append(got, e)
			}
		}}
		run(t, src, &sink{}, opts, time.Minute)
		if len(got) != 1 || got[0].Always || !errors.Is(got[0].Err, away) {
			t.Errorf("got %+v, want one event with %v", got, away)
		}
	})
}

// TestWatchEndReasons: a watch that the server ends as asked is told from one that it
// ends before, and one that ends because the sink has no room from both.
func TestWatchEndReasons(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := func(ctx context.Context, opts metav1.ListOptions, send st.Sender[*object]) error {
			lasts := time.Duration(*opts.TimeoutSeconds-1) * time.Second // servers may be early by a second
			return st.Stream(st.Bookmark[*object]("6"), st.Sleep[*object](lasts))(ctx, opts, send)
		}
		src := (&st.Script[*object]{NoWatchList: true}).Lists(st.Objects[*object]("5")).
			Watches(asked, st.Stream[*object](), st.WatchError[*object](errors.New("odd")))
		r := reflector.New(src.Source(), &sink{}, options{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		r.Run(ctx)
		if s := r.Stats(); s.WatchEnds["TimedOut"] != 1 || s.WatchEnds["Closed"] != 1 || s.WatchEnds["Other"] != 1 {
			t.Errorf("watches ended by %v", s.WatchEnds)
		}
	})
}

// Each error of the package has a reason of its own, also if it wraps another error.
func TestReason(t *testing.T) {
	for want, err := range map[string]error{
		"Closed": nil, "Other": errors.New("odd"), "Canceled": context.Canceled, "Connection": io.ErrUnexpectedEOF,
		"EndlessList": fmt.Errorf("%w: %w", reflector.ErrEndlessList, rtt.Expired()), "Expired": rtt.Expired(),
		"TooLargeResourceVersion": rtt.TooLarge(),
	} {
		if got := reflector.Reason(err); got != want {
			t.Errorf("%v: got %q, want %q", err, got, want)
		}
	}
}

// A list that follows no failure names none, whatever failed earlier.
func TestReasonOfAList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		listed := st.Objects("", obj("a", ""))
		src := (&st.Script[*object]{NoWatchList: true}).
			Lists(st.ListError[*object](apierrors.NewServiceUnavailable("no")), listed, listed).
			Watches(st.Stream(minute), st.Stream(st.Hang[*object]()))
		var reasons []error
		opts := options{OnEvent: func(e reflector.Event) {
			if e.Type == reflector.EventListing {
				reasons = append(reasons, e.Err)
			}
		}}
		run(t, src, &sink{}, opts, 2*time.Minute)
		if len(reasons) != 3 || reasons[2] != nil {
			t.Errorf("got %v, want three lists, and no reason of the last", reasons)
		}
	})
}
