// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package watch_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"go.uber.org/goleak"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	st "github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	rtt "github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/watch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type object = metav1.PartialObjectMetadata

func obj(name, resourceVersion string) *object {
	return &object{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, ResourceVersion: resourceVersion},
	}
}

// describe writes an event as "Added a@5".
func describe(e watch.Event[*object]) string {
	name := ""
	switch {
	case e.Err != nil:
		name = " !" + e.Key.Name
	case e.Object != nil:
		name = " " + e.Object.Name
	}
	return e.Type.String() + name + "@" + e.ResourceVersion
}

func ask(r rtt.Request) string {
	switch o := r.Options; {
	case r.Watch && o.SendInitialEvents != nil:
		return "stream " + o.ResourceVersion
	case r.Watch:
		return "watch " + o.ResourceVersion
	case o.Limit == 1:
		return "resume" + o.ResourceVersion
	default:
		return "list " + o.ResourceVersion
	}
}

var (
	hang = st.Hang[*object]()
	cut  = st.Break[*object](fmt.Errorf("%w: %w", source.ErrCut, io.ErrUnexpectedEOF))
)

type (
	lists   = []st.ListReply[*object]
	watches = []st.WatchReply[*object]
	options = watch.Options[*object]
)

// The events and requests for each behavior of the server.
func TestEvents(t *testing.T) {
	kept := st.Item[*object]{Delta: delta.WithKey[types.NamespacedName, *object](
		delta.Kept, types.NamespacedName{Namespace: "ns", Name: "a"},
	)}
	for name, test := range map[string]struct {
		lists    lists
		watches  watches
		resumes  lists
		stream   bool // the source supports WatchList
		opts     options
		requests []string
		events   []string
		told     []string // parts of the errors told to OnError
		gap      string   // part of the error that ends it, "" if it goes on
	}{
		"a list, then changes": {
			lists:    lists{st.Objects("5", obj("a", "1"), obj("b", "2"))},
			watches:  watches{st.Stream(st.Modified(obj("a", "6")), st.Bookmark[*object]("7"), st.Deleted(obj("b", "8")), st.Added(obj("c", "9")), hang)},
			requests: []string{"list 0", "watch 5"},
			events:   []string{"Added a@", "Added b@", "InitialEnd@5", "Updated a@6", "Bookmark@7", "Deleted b@8", "Added c@9"},
		},
		"objects whose known state stays": {
			lists:    lists{st.Page("5", "", kept, st.Items(obj("b", "2"))[0])},
			watches:  watches{st.Stream(st.Send(kept, "6"), st.Send(kept, ""), hang)},
			requests: []string{"list 0", "watch 5"},
			events:   []string{"Added b@", "InitialEnd@5", "Bookmark@6"},
		},
		"a streamed list, then changes": {
			stream:   true,
			watches:  watches{st.Stream(st.Added(obj("a", "1")), st.InitialEventsEnd[*object]("5"), st.Modified(obj("a", "6")), hang)},
			requests: []string{"stream "},
			events:   []string{"Added a@", "InitialEnd@5", "Updated a@6"},
		},
		"from a version": {
			opts:     options{ResourceVersion: "5"},
			watches:  watches{st.Stream(st.Modified(obj("a", "6")), hang)},
			requests: []string{"resume", "watch 5"},
			events:   []string{"Updated a@6"},
		},
		"cut, cut, then on": {
			opts:     options{ResourceVersion: "5"},
			watches:  watches{st.Stream(st.Modified(obj("a", "6")), cut), st.Stream(cut), st.Stream(st.Modified(obj("a", "7")), hang)},
			requests: []string{"resume", "watch 5", "resume", "watch 6", "resume", "watch 6"},
			events:   []string{"Updated a@6", "Updated a@7"},
			told:     []string{"connection was cut", "connection was cut"},
		},
		"no server for a while": {
			opts:     options{ResourceVersion: "5"},
			watches:  watches{st.Stream(cut), st.Stream(st.Modified(obj("a", "6")), hang)},
			resumes:  lists{st.Page[*object]("5", ""), st.ListError[*object](apierrors.NewServiceUnavailable("away")), st.ListError[*object](apierrors.NewServiceUnavailable("away"))},
			requests: []string{"resume", "watch 5", "resume", "resume", "resume", "watch 5"},
			events:   []string{"Updated a@6"},
			told:     []string{"connection was cut", "away", "away"},
		},
		"forgotten": {
			lists:    lists{st.Objects("5", obj("a", "1"))},
			watches:  watches{st.Stream(st.Modified(obj("a", "6")), st.Break[*object](rtt.Expired()))},
			requests: []string{"list 0", "watch 5"},
			events:   []string{"Added a@", "InitialEnd@5", "Updated a@6"},
			told:     []string{"too old"},
			gap:      "too old resource version",
		},
		"gone back": {
			opts:     options{ResourceVersion: "50"},
			resumes:  lists{st.Page[*object]("8", "")},
			requests: []string{"resume"},
			told:     []string{"gone back"},
			gap:      "gone back",
		},
		"the first list fails, and is made again": {
			lists:    lists{st.ListError[*object](rtt.Expired()), st.ListError[*object](apierrors.NewServiceUnavailable("away")), st.Objects("5", obj("a", "1"))},
			requests: []string{"list 0", "list ", "list ", "watch 5"},
			events:   []string{"Added a@", "InitialEnd@5"},
			told:     []string{"too old", "away"},
		},
		"what cannot be decoded": {
			lists: lists{st.Page("5", "", st.Undecodable[*object]("ns", "a", errors.New("a is odd")), st.Items(obj("b", "2"))[0])},
			watches: watches{st.Stream(
				st.Send(st.Undecodable[*object]("ns", "b", errors.New("b is odd")), "6"),
				st.Send(st.Item[*object]{
					Delta: source.Unusable[*object](delta.Deleted, types.NamespacedName{Namespace: "ns", Name: "b"}), Err: errors.New("b is odd"),
				}, "7"),
				hang)},
			requests: []string{"list 0", "watch 5"},
			events:   []string{"Stale !a@", "Added b@", "InitialEnd@5", "Stale !b@6", "Deleted !b@7"},
			told:     []string{"a is odd", "b is odd", "b is odd"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				src := &st.Script[*object]{NoWatchList: !test.stream}
				src.Lists(test.lists...).Watches(test.watches...).Resumes(test.resumes...)
				ctx, cancel := context.WithTimeoutCause(t.Context(), time.Hour, errors.New("that is enough"))
				defer cancel()
				var told, got []string
				test.opts.OnEvent = func(e reflector.Event) {
					if e.Type == reflector.EventFailed {
						told = append(told, e.Err.Error())
					}
				}
				test.opts.WatchTimeout = 2 * time.Hour
				var end error
				for event, err := range watch.Events(ctx, src.Source(), test.opts) {
					if end != nil {
						t.Fatal("something came after the error")
					}
					if end = err; err == nil {
						got = append(got, describe(event))
					}
				}
				if !slices.Equal(got, test.events) {
					t.Errorf("events\n%q, want\n%q", got, test.events)
				}
				var requests []string
				for _, r := range src.Requests() {
					requests = append(requests, ask(r))
				}
				if !slices.Equal(requests, test.requests) {
					t.Errorf("requests\n%q, want\n%q", requests, test.requests)
				}
				if !slices.EqualFunc(told, test.told, strings.Contains) {
					t.Errorf("errors told\n%q, want parts\n%q", told, test.told)
				}
				want := "that is enough"
				if test.gap != "" {
					want = test.gap
				}
				if end == nil || !strings.Contains(end.Error(), want) ||
					errors.Is(end, watch.ErrGap) != (test.gap != "") {
					t.Errorf("ended with %v, want %q", end, want)
				}
			})
		})
	}
}

func TestTheGapIsTheServersAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := (&st.Script[*object]{NoWatchList: true}).Watches(st.WatchError[*object](rtt.Expired()))
		for _, err := range watch.Events(t.Context(), src.Source(), options{ResourceVersion: "5"}) {
			if !apierrors.IsResourceExpired(err) || !errors.Is(err, watch.ErrGap) {
				t.Errorf("ended with %v", err)
			}
		}
	})
}

// The event of an object that could not be decoded has the reason, not the error of a watch before it.
func TestWhyAnObjectIsMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		odd := errors.New("b is odd")
		src := (&st.Script[*object]{NoWatchList: true}).Watches(st.Stream(cut), st.Stream(
			st.Send(st.Undecodable[*object]("ns", "b", odd), "6"), hang))
		for event, err := range watch.Events(t.Context(), src.Source(), options{ResourceVersion: "5"}) {
			if err != nil || !errors.Is(event.Err, odd) {
				t.Errorf("got %v, %v, want %v", event.Err, err, odd)
			}
			break
		}
	})
}

// After the loop is left, nothing is yielded and no request is pending.
func TestLeavingTheLoop(t *testing.T) {
	for after := 1; after <= 4; after++ {
		synctest.Test(t, func(t *testing.T) {
			src := (&st.Script[*object]{NoWatchList: true}).
				Lists(st.Objects("5", obj("a", "1"), obj("b", "2"))).
				Watches(st.Stream(st.Modified(obj("a", "6")), st.Modified(obj("a", "7")), hang))
			n := 0
			for _, err := range watch.Events(t.Context(), src.Source(), options{}) {
				if err != nil {
					t.Fatal(err)
				}
				if n++; n == after {
					break
				}
			}
			if n != after {
				t.Errorf("%d events", n)
			}
		})
	}
}

// Events continues after the last event of an earlier run of the program.
func TestResumedByAnotherWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := rtt.NewServer[*object]()
		for _, name := range []string{"a", "b"} {
			server.Set(obj(name, ""))
		}
		at := ""
		for event, err := range watch.Events(t.Context(), server.Source(), options{}) {
			if err != nil {
				t.Fatal(err)
			}
			if at = event.ResourceVersion; event.Type == delta.InitialEnd {
				break
			}
		}
		server.Set(obj("c", ""))
		server.Delete("ns", "a")
		var got []string
		for event, err := range watch.Events(t.Context(), server.Source(), options{ResourceVersion: at}) {
			if err != nil {
				t.Fatal(err)
			}
			if event.Type == delta.Bookmark {
				continue
			}
			if got = append(got, event.Type.String()+" "+event.Object.Name); len(got) == 2 {
				break
			}
		}
		if want := []string{"Added c", "Deleted a"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func TestSourceWithPartsHasNoEvents(t *testing.T) {
	parts := source.ForEach(source.NewNamespaces("a", "b"), func(string) source.Source[*object] {
		return rtt.NewServer[*object]().Source()
	})
	var errs []error
	for _, err := range watch.Events(t.Context(), parts, options{}) {
		errs = append(errs, err)
	}
	if len(errs) != 1 || !errors.Is(errs[0], reflector.ErrNoListerWatcher) {
		t.Errorf("the errors are %v", errs)
	}
}
