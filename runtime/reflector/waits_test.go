// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package reflector_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	st "github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	rtt "github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// The text of an error has the wait only if the server requested it.
func TestErrorTextHasRequestedWait(t *testing.T) {
	busy := apierrors.NewTooManyRequests("busy", 5)
	for _, test := range []struct {
		wait time.Duration
		err  error
		want string
	}{
		{5 * time.Second, busy, "list: busy (next attempt in 5s)"},
		{0, busy, "list: busy"},
		{5 * time.Second, errors.New("broken"), "list: broken"},
	} {
		err := &reflector.Error{Op: reflector.OpList, Wait: test.wait, Err: test.err}
		if err.Error() != test.want {
			t.Errorf("got %q, want %q", err, test.want)
		}
	}
}

// The third failed WatchList is followed by a LIST at once, the others by a wait. So is a WatchList that
// has expired at the latest version.
func TestWatchListWaits(t *testing.T) {
	unavailable := st.WatchError[*object](status(503))
	for name, test := range map[string]struct {
		watches watches
		want    []time.Duration // of the errors
	}{
		"no server": {watches{unavailable, unavailable, unavailable}, []time.Duration{time.Second, 2 * time.Second, 0}},
		"expired":   {watches{st.WatchError[*object](rtt.Expired())}, []time.Duration{time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				src := new(st.Script[*object]).Watches(test.watches...).Lists(st.Objects("5", obj("a", "1")))
				src.Watches(st.Stream(st.InitialEventsEnd[*object]("5"), hang))
				var waits []time.Duration
				run(t, src, &sink{}, options{
					Settings: reflector.Settings{Backoff: reflector.Backoff{Initial: time.Second, Factor: 2, Jitter: -1}},
					OnEvent:  errorsTo(func(err error) { waits = append(waits, err.(*reflector.Error).Wait) }),
				}, 5*time.Second)
				if !slices.Equal(waits, test.want) {
					t.Errorf("waited %v, want %v", waits, test.want)
				}
			})
		})
	}
}

// A change older than the initial events of a WatchList shows that the server has gone back.
func TestWatchListThatGoesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := new(st.Script[*object]).Watches(
			st.Stream(st.InitialEventsEnd[*object]("9"), st.Added(obj("a", "3")), hang),
			st.Stream(st.Added(obj("a", "3")), st.InitialEventsEnd[*object]("4"), hang),
		)
		s := &sink{}
		run(t, src, s, options{}, 30*time.Second)
		if want := []string{"[]@9", "[a]<4"}; !slices.Equal(s.log, want) {
			t.Errorf("got %q, want %q", s.log, want)
		}
	})
}

// An event of a watch ends a series of failures, also after the watch has ended.
func TestFailuresInARow(t *testing.T) {
	for _, event := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			away := st.ListError[*object](status(503))
			steps := []st.Step[*object]{st.Sleep[*object](100 * time.Millisecond)}
			if event {
				steps = append(steps, st.Bookmark[*object]("6"))
			}
			steps = append(steps, st.Sleep[*object](100*time.Millisecond), st.Break[*object](status(503)))
			src := (&st.Script[*object]{NoWatchList: true}).
				Lists(st.Objects[*object]("5")).Resumes(away, away).
				Watches(st.Stream(st.Break[*object](status(503))), st.Stream(steps...))
			var failures []int
			r := reflector.New(src.Source(), &sink{}, options{Settings: reflector.Settings{Backoff: reflector.Backoff{Initial: time.Second, Factor: 1, Jitter: -1}}})
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
			defer cancel()
			done := make(chan struct{})
			go func() { defer close(done); r.Run(ctx) }()
			for range 3 {
				time.Sleep(time.Second - time.Millisecond) // waiting after a failure
				failures = append(failures, r.Stats().Progress.Failures)
				time.Sleep(time.Millisecond)
			}
			time.Sleep(150 * time.Millisecond) // watching
			failures = append(failures, r.Stats().Progress.Failures)
			time.Sleep(100 * time.Millisecond) // waiting again
			failures = append(failures, r.Stats().Progress.Failures)
			<-done
			want := []int{1, 2, 3, 3, 4}
			if event {
				want = []int{1, 2, 3, 0, 1}
			}
			if !slices.Equal(failures, want) {
				t.Errorf("with an event %v: %v failures in a row, want %v", event, failures, want)
			}
		})
	}
}

func TestLongList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var want []*object
		for i := range 1100 {
			want = append(want, obj(fmt.Sprint(i), "1"))
		}
		src := (&st.Script[*object]{NoWatchList: true}).Lists(st.Objects("5", want...)).Watches(st.Stream(hang))
		s := &sink{}
		run(t, src, s, options{}, time.Second)
		list := "["
		for i, o := range want {
			if i > 0 {
				list += " "
			}
			list += o.Name
		}
		if !slices.Equal(s.log, []string{list + "]@5"}) {
			t.Errorf("got %.100q", s.log)
		}
	})
}

// An object without a name fails each list. The errors of lists 1, 2, 3, 5, 9, … are reported, all are
// counted, and the next failure of another kind is reported.
func TestIncompleteListsAreReportedLessAndLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := &st.Script[*object]{NoWatchList: true}
		for range 20 {
			src.Lists(st.Objects("5", obj("", "4")))
		}
		src.Lists(st.ListError[*object](status(503)), st.Objects("5", obj("", "4")), st.Objects("5", obj("a", "4")))
		var reported []int // the numbers of lists
		r := reflector.New(src.Source(), &sink{}, options{OnEvent: errorsTo(func(error) { reported = append(reported, len(src.Requests())) })})
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
		defer cancel()
		r.Run(ctx)
		if want := []int{1, 1, 2, 2, 3, 3, 5, 5, 9, 9, 17, 17, 21, 22, 22}; !slices.Equal(reported, want) {
			t.Errorf("errors of lists %v were reported, want %v", reported, want)
		}
		counted := r.Stats().Errors[reflector.ErrorKind{Op: reflector.OpList, Reason: "Incomplete"}]
		if counted != 21 {
			t.Errorf("%d lists are counted as incomplete, want 21", counted)
		}
	})
}
