// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package reflector_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
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

// undecodable is an event whose object could not be decoded.
func undecodable(t delta.Type, name, resourceVersion string) st.Step[*object] {
	item := st.Undecodable[*object]("ns", name, garbage)
	if name != "" {
		item.Type = t
	}
	return st.Send(item, resourceVersion)
}

// ignored is an event without an object and without an error: a Kept, a Dropped, or a Deleted.
func ignored(t delta.Type, name, resourceVersion string) st.Step[*object] {
	return st.Send(without(t, name), resourceVersion)
}

func without(t delta.Type, name string) st.Item[*object] {
	key := types.NamespacedName{Namespace: "ns", Name: name}
	return st.Item[*object]{Delta: delta.WithKey[types.NamespacedName, *object](t, key)}
}

// errorsTo calls f with the error of each failure.
func errorsTo(f func(error)) func(reflector.Event) {
	return func(e reflector.Event) {
		if e.Type == reflector.EventFailed {
			f(e.Err)
		}
	}
}

// run runs a reflector for a while and returns its requests.
func run(t *testing.T, src *st.Script[*object], s reflector.Sink[*object], opts options, d time.Duration) []rtt.Request {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	reflector.New(src.Source(), s, opts).Run(ctx)
	return src.Requests()
}

func TestEveryRequestCarriesTheSelectors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := new(st.Script[*object]).
			Lists(st.Page[*object]("5", "t"), st.Objects[*object]("5")).
			Watches(st.WatchError[*object](rtt.WatchListForbidden()), st.Stream(minute))
		requests := run(t, src, &sink{}, options{Settings: reflector.Settings{LabelSelector: "a=b", FieldSelector: "metadata.name=c"}}, 2*time.Minute)
		if len(requests) != 6 {
			t.Errorf("%d requests", len(requests))
		}
		for _, r := range requests {
			if o := r.Options; o.LabelSelector != "a=b" || o.FieldSelector != "metadata.name=c" {
				t.Errorf("%s has selectors %q and %q", ask(r), o.LabelSelector, o.FieldSelector)
			}
			if o := r.Options; r.Watch && !o.AllowWatchBookmarks {
				t.Errorf("%s does not allow bookmarks", ask(r))
			}
			if o := r.Options; o.SendInitialEvents != nil && (!*o.SendInitialEvents || o.ResourceVersionMatch != metav1.ResourceVersionMatchNotOlderThan) {
				t.Errorf("%s has %v and %v", ask(r), *o.SendInitialEvents, o.ResourceVersionMatch)
			}
		}
	})
}

func TestWatchTimeoutsAreRandom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := (&st.Script[*object]{NoWatchList: true}).Lists(st.Objects[*object]("5"))
		for range 20 {
			src.Watches(st.Stream(minute))
		}
		seen := map[int64]bool{}
		for _, r := range run(t, src, &sink{}, options{}, 20*time.Minute) {
			if r.Watch {
				if n := *r.Options.TimeoutSeconds; n < 300 || n > 600 {
					t.Errorf("a timeout of %d seconds, want 300 to 600", n)
				}
				seen[*r.Options.TimeoutSeconds] = true
			}
		}
		if len(seen) < 5 {
			t.Errorf("20 watches have only %d different timeouts", len(seen))
		}
	})
}

// A watch that is to last for ever is asked for as long as servers and timers count.
func TestWatchTimeoutForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := (&st.Script[*object]{NoWatchList: true}).Lists(st.Objects[*object]("5")).Watches(st.Stream(hang))
		requests := run(t, src, &sink{}, options{Settings: reflector.Settings{WatchTimeout: math.MaxInt64}}, time.Hour)
		if n := len(requests); n != 2 || *requests[1].Options.TimeoutSeconds != math.MaxInt32 {
			t.Errorf("%d requests: %+v", n, requests)
		}
	})
}

// Waits without a bound do not overflow.
func TestBackoffDoesNotOverflow(t *testing.T) {
	for _, b := range []reflector.Backoff{
		{Factor: 1e11, Jitter: -1}, {Factor: math.NaN(), Jitter: -1}, {Factor: math.Inf(1), Jitter: -1}, {Max: math.MaxInt64},
	} {
		synctest.Test(t, func(t *testing.T) {
			src := &st.Script[*object]{NoWatchList: true} // every list fails
			for i, d := range gaps(run(t, src, &sink{}, options{Settings: reflector.Settings{Backoff: b}}, 10*time.Minute)) {
				if d < 200*time.Millisecond {
					t.Errorf("%+v: wait %d is %v", b, i, d)
				}
			}
		})
	}
}

// gaps returns the time between one request and the next.
func gaps(requests []rtt.Request) (out []time.Duration) {
	for i := 1; i < len(requests); i++ {
		out = append(out, requests[i].At.Sub(requests[i-1].At))
	}
	return out
}

func TestBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		none := reflector.Backoff{Jitter: -1, Max: 5 * time.Second, Initial: time.Second, Factor: 2}
		src := &st.Script[*object]{NoWatchList: true} // every list fails
		got := gaps(run(t, src, &sink{}, options{Settings: reflector.Settings{Backoff: none}}, 20*time.Second))
		for i, want := range []time.Duration{1, 2, 4, 5, 5} {
			if i >= len(got) || got[i] != want*time.Second {
				t.Fatalf("waits %v, want %v s as number %d", got, want, i+1)
			}
		}

		little := reflector.Backoff{Jitter: 0.1, Max: time.Second, Initial: time.Second}
		src = &st.Script[*object]{NoWatchList: true}
		for i, d := range gaps(run(t, src, &sink{}, options{Settings: reflector.Settings{Backoff: little}}, 20*time.Second)) {
			if d < time.Second || d > 1100*time.Millisecond {
				t.Errorf("wait %d is %v, want 1 s to 1.1 s", i, d)
			}
		}

		src = &st.Script[*object]{NoWatchList: true}
		got = gaps(run(t, src, &sink{}, options{}, 10*time.Minute))
		if len(got) < 30 || len(got) > 50 {
			t.Errorf("%d retries in 10 minutes", len(got))
		}
		for i, d := range got {
			least := min(time.Duration(200e6*math.Pow(1.2, float64(i)))-time.Microsecond, 30*time.Second)
			if d < least || d > 2*least+time.Millisecond {
				t.Errorf("wait %d is %v, want %v to %v", i, d, least, 2*least)
			}
		}
	})
}

func TestBackoffStartsOverAfterHealth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		broken := st.WatchError[*object](context.DeadlineExceeded)
		second := st.Sleep[*object](time.Second)
		src := (&st.Script[*object]{NoWatchList: true}).
			Lists(st.Objects[*object]("5"), st.Objects[*object]("8"), st.Objects[*object]("9")).
			Watches(broken, broken, broken,
				st.Stream(second, st.Break[*object](context.DeadlineExceeded)),                     // lasted
				st.Stream(st.Added(obj("a", "6")), st.Break[*object](context.DeadlineExceeded)),    // short, but brought something
				st.Stream(st.Modified(obj("a", "6")), st.Break[*object](context.DeadlineExceeded)), // nothing new
				st.Stream(st.Modified(obj("a", "6")), st.Break[*object](context.DeadlineExceeded)), // nothing new
				st.Stream(second, st.Break[*object](rtt.Expired())),                                // lasted, but is of no use
				st.Stream(st.Sleep[*object](30*time.Second), st.Break[*object](rtt.Expired())),     // lasted for Reset
				broken)
		var got []time.Duration
		for _, d := range gaps(run(t, src, &sink{}, options{Settings: reflector.Settings{Backoff: reflector.Backoff{Initial: time.Second, Factor: 2, Jitter: -1}}}, 10*time.Minute)) {
			if d > 0 { // else a watch follows what leads to it
				got = append(got, d)
			}
		}
		// The first question whether to resume that is answered ends an outage, and the
		// list after a 410 does not wait.
		want := []time.Duration{1, 1, 2, 1 + 1, 1, 1, 2, 1, 30, 1}
		for i := range want {
			if i >= len(got) || got[i] != want[i]*time.Second {
				t.Fatalf("waits %v, want %v s", got, want)
			}
		}
	})
}

func TestRetryAfterIsHonored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		least, most := time.Hour, time.Duration(0)
		for range 20 {
			src := (&st.Script[*object]{NoWatchList: true}).Lists(st.ListError[*object](rtt.TooManyRequests(20)), st.Objects[*object]("5"))
			wait := gaps(run(t, src, &sink{}, options{}, time.Minute))[0]
			least, most = min(least, wait), max(most, wait)
		}
		if least < 20*time.Second || most > 40*time.Second {
			t.Errorf("waited %v to %v, the server asked for 20 s", least, most)
		}
		if most-least < 5*time.Second {
			t.Errorf("20 clients return within %v of each other", most-least)
		}
	})
}

func TestRetryAfterIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := (&st.Script[*object]{NoWatchList: true}).Lists(st.ListError[*object](rtt.TooManyRequests(1<<31-1)), st.Objects[*object]("5"))
		var errs []error
		got := gaps(run(t, src, &sink{}, options{OnEvent: errorsTo(func(err error) { errs = append(errs, err) })}, time.Hour))
		if len(got) == 0 || got[0] < 5*time.Minute || got[0] > 6*time.Minute {
			t.Fatalf("waited %v, the server asked for years", got)
		}
		var e *reflector.Error
		if !errors.As(errs[0], &e) || e.Wait != got[0] || !strings.Contains(e.Error(), "next attempt in 5m") {
			t.Errorf("the error does not tell the wait of %v: %v", got[0], errs[0])
		}
	})
}

func TestSourceWithoutVersionsIsNotListedAllTheTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := &st.Script[*object]{NoWatchList: true}
		for range 4000 {
			src.Lists(st.Objects("", obj("a", ""))).Watches(st.Stream(st.Sleep[*object](time.Second)))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		r := reflector.New(src.Source(), &sink{}, options{})
		r.Run(ctx)
		if n := len(src.Requests()); n > 2*150 {
			t.Errorf("%d requests in an hour", n)
		}
		if reflector.Reason(r.Stats().LastError) != "Unversioned" {
			t.Errorf("last error is %v", r.Stats().LastError)
		}
	})
}

// A source may leave objects out, and ignore states. A list does not have what is left out, and a watch
// deletes it.
func TestDroppedAndKeptObjects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := (&st.Script[*object]{NoWatchList: true}).
			Lists(st.Page("5", "", st.Items(obj("a", "1"))[0], without(delta.Dropped, "b"), without(delta.Kept, "c"))).
			Watches(st.Stream(
				ignored(delta.Dropped, "a", "6"), ignored(delta.Kept, "a", "7"),
				ignored(delta.Deleted, "c", "8"), ignored(delta.Dropped, "d", "9"), hang,
			))
		s := &sink{}
		var errs []error
		run(t, src, s, options{OnEvent: errorsTo(func(err error) { errs = append(errs, err) })}, time.Second)
		want := []string{"[a =c]@5", "Deleted a@6", "Kept a@7", "Deleted c@8", "Deleted d@9"}
		if !slices.Equal(s.log, want) || errs != nil {
			t.Errorf("got %q, %v; want %q", s.log, errs, want)
		}
	})
}

func TestBackPressureIsNotTheServersFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := (&st.Script[*object]{NoWatchList: true}).
			Lists(st.Objects[*object]("5")).
			Watches(st.Stream(st.Added(obj("a", "6")), hang), st.Stream(st.Added(obj("a", "7")), st.Break[*object](source.ErrCut)), st.Stream(hang))
		s := &slowSink{}
		var errs []error
		ctx, cancel := context.WithTimeout(t.Context(), 21*time.Minute)
		defer cancel()
		reflector.New(src.Source(), s, options{Settings: reflector.Settings{WatchTimeout: time.Minute}, OnEvent: errorsTo(func(err error) { errs = append(errs, err) })}).Run(ctx)
		if len(errs) > 0 {
			t.Errorf("errors %v", errs)
		}
		if n := len(src.Requests()); n < 4 {
			t.Errorf("%d requests: the reflector did not go on", n)
		}
	})
}

// Nor is it where it is a whole list that the sink has no room for.
func TestBackPressureOfAListIsNotTheServersFault(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := (&st.Script[*object]{}).Watches(st.Stream(st.Added(obj("a", "5")), st.InitialEventsEnd[*object]("5"), hang), st.Stream(hang))
		var errs []error
		ctx, cancel := context.WithTimeout(t.Context(), 9*time.Minute)
		defer cancel()
		reflector.New(src.Source(), &slowSink{lists: true}, options{Settings: reflector.Settings{WatchTimeout: time.Minute}, OnEvent: errorsTo(func(err error) { errs = append(errs, err) })}).Run(ctx)
		if len(errs) > 0 {
			t.Errorf("errors %v", errs)
		}
	})
}

// slowSink takes ten minutes for an event, and for a list.
type slowSink struct {
	sink
	lists bool
}

func (s *slowSink) Replace(context.Context, delta.Batch[types.NamespacedName, *object]) error {
	if !s.lists {
		return nil
	}
	time.Sleep(10 * time.Minute)
	return nil
}

func (s *slowSink) Push(context.Context, delta.Delta[types.NamespacedName, *object], string) error {
	time.Sleep(10 * time.Minute)
	return nil
}

func TestErrorHasReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := (&st.Script[*object]{NoWatchList: true}).Lists(st.ListError[*object](rtt.Forbidden("list", metav1.SchemeGroupVersion.WithResource("x").GroupResource())))
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		r := reflector.New(src.Source(), &sink{}, options{})
		r.Run(ctx)
		var e *reflector.Error
		if !errors.As(r.Stats().LastError, &e) || e.Reason != metav1.StatusReasonForbidden || e.Op != reflector.OpList || e.Time.IsZero() {
			t.Errorf("got %#v", r.Stats().LastError)
		}
	})
}

// A fake client that takes part in no WatchList does not say so, so the error does.
func TestStalledWatchListTellsTheWayOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := new(st.Script[*object]).Watches(st.Stream(st.Hang[*object]())).Lists(st.ListHang[*object]())
		var lists, watchLists int
		opts := options{OnEvent: errorsTo(func(met error) {
			err, _ := errors.AsType[*reflector.Error](met)
			told := strings.Contains(err.Error(), "reflector.Settings")
			switch {
			case reflector.Reason(err) != "Stalled":
			case err.Op == reflector.OpWatchList && told:
				watchLists++
			case err.Op == reflector.OpList && !told:
				lists++
			default:
				t.Error(err)
			}
		})}
		run(t, src, &sink{}, opts, 10*time.Minute)
		if lists == 0 || watchLists == 0 {
			t.Errorf("%d lists stalled, and %d WatchLists", lists, watchLists)
		}
	})
}
