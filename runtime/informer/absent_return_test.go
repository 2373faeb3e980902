// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// reinstall installs the type anew: its objects are gone, and its versions start over.
func (s *optional) reinstall() {
	s.Server = newOptional().Server
	s.install()
}

// withVersions returns a server of the type that has reached version 50.
func withVersions() *optional {
	s := newOptional()
	for range 50 {
		s.Set(widget("a"))
	}
	return s
}

// The versions of a type that returns may be lower than those of the objects that were deleted. That is no failure.
func TestTypeReturnsWithLowerVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, r := withVersions(), &recorder{}
		inf := newInformer(s, informer.WithErrorHandler(func(err error) { t.Error(err) }))
		inf.AddEventHandler(r)
		start(t, inf)
		expect(t, r, "+a*")
		after(time.Minute)
		before := inf.Store().Reader().Epoch()
		s.remove()
		after(15 * time.Second)
		expect(t, r, "-a?")
		s.reinstall()
		b := s.Set(widget("b"))
		inf.Wake()
		expect(t, r, "+b*")
		if before == inf.Store().Reader().Epoch() {
			t.Error("the epoch does not say that the source has gone backward")
		}
		for _, version := range []string{b, s.Set(widget("c"))} {
			if err := inf.WaitFor(t.Context(), version); err != nil {
				t.Error(err)
			}
		}
		expect(t, r, "+c")
	})
}

// The type is absent when a run ends. The next run finds at once whether it has returned, with lower versions.
func TestTypeReturnsBetweenRuns(t *testing.T) {
	for _, returns := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := withVersions()
			inf := newInformer(s, informer.WithErrorHandler(func(err error) { t.Error(err) }))
			stop := start(t, inf)
			after(time.Minute)
			s.remove()
			after(15 * time.Second)
			stop()
			before := inf.Store().Reader().Epoch()
			objects, unreached := 0, store.ErrAbsent
			if returns {
				s.reinstall()
				s.Set(widget("b"))
				objects, unreached = 1, nil
			}
			start(t, inf)
			synctest.Wait()
			if isPresent(inf) != returns || inf.Stats().Objects != objects {
				t.Errorf("returns %v: present %v, with %d objects", returns, isPresent(inf), inf.Stats().Objects)
			}
			if rewound := before != inf.Store().Reader().Epoch(); rewound != returns {
				t.Errorf("returns %v: rewound %v", returns, rewound)
			}
			version := map[bool]string{false: "100", true: "1"}[returns]
			if err := inf.WaitFor(t.Context(), version); !errors.Is(err, unreached) {
				t.Errorf("returns %v: a wait for version %s: %v", returns, version, err)
			}
		})
	}
}

// A run that begins after an absence does not know whether the type is still absent: waits go on until it does.
func TestWaitBeforeAbsenceIsKnown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newOptional()
		s.remove()
		inf := newInformer(s, informer.WithErrorHandler(func(error) {}))
		stop := start(t, inf)
		synctest.Wait()
		stop()
		s.install()
		version := s.Set(widget("a"))
		s.Fail(denied, denied, denied)
		start(t, inf)
		synctest.Wait()
		if inf.Store().Reader().Len() != 0 {
			t.Fatal("the type was listed in spite of failures")
		}
		if err := inf.WaitFor(t.Context(), version); err != nil || !isPresent(inf) {
			t.Errorf("present %v, a wait ends with %v", isPresent(inf), err)
		}
	})
}

// A part that is absent when it is added has synced. It does not decide that the type is absent unless it is alone.
func TestAbsentPartIsAdded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		present, absent := newOptional(), newOptional()
		present.Set(widget("a"))
		absent.remove()
		set := source.NewNamespaces("present")
		inf := newInformer(source.ForEach(set, func(namespace string) source.Source[*object] {
			return map[string]*optional{"present": present, "absent": absent}[namespace].Source()
		}))
		start(t, inf)
		synctest.Wait()
		for _, step := range []struct {
			namespaces []string
			present    bool
		}{
			{[]string{"present", "absent"}, true},
			{[]string{"absent"}, false},
			{nil, false},
			{[]string{"present"}, true},
		} {
			if err := set.Replace(t.Context(), step.namespaces...); err != nil {
				t.Error(err)
			}
			if isPresent(inf) != step.present {
				t.Errorf("present is %v with namespaces %q", !step.present, step.namespaces)
			}
			if len(step.namespaces) == 1 && !step.present {
				if err := inf.WaitFor(t.Context(), "999"); !errors.Is(err, store.ErrAbsent) {
					t.Errorf("a wait while absent ends with %v", err)
				}
			}
		}
	})
}

// A run ends before its part has synced, and then the part leaves. The next run syncs when its own part has.
func TestUnsyncedPartLeavesBetweenRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newOptional()
		s.Fail(denied, denied, denied)
		set := source.NewNamespaces("one")
		inf := newInformer(source.ForEach(set, func(string) source.Source[*object] { return s.Source() }),
			informer.WithErrorHandler(func(error) {}))
		stop := start(t, inf)
		synctest.Wait()
		stop()
		if err := set.Replace(t.Context(), "two"); err != nil {
			t.Error(err)
		}
		s.Fail(denied, denied, denied, denied)
		start(t, inf)
		synctest.Wait()
		if inf.HasSynced() {
			t.Error("synced before its part")
		}
		after(time.Minute)
		if !inf.HasSynced() {
			t.Error("not synced")
		}
	})
}

// Changes that were read before the type went are applied before its objects are deleted.
func TestChangesBeforeAbsence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, r := newOptional(), &recorder{hold: make(chan struct{})}
		inf := newInformer(s)
		inf.AddEventHandler(r, informer.WithBuffer(1))
		start(t, inf)
		synctest.Wait()
		for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
			s.Set(widget(name))
			synctest.Wait()
		}
		s.remove()
		after(time.Minute)
		if n := inf.Store().Reader().Len(); n == 6 {
			t.Fatal("no change is waiting")
		}
		close(r.hold)
		synctest.Wait()
		got := r.got()
		if !strings.HasPrefix(got, "+a +b +c +d +e +f -") || strings.Count(got, "?") != 6 {
			t.Errorf("got %q", got)
		}
	})
}

// The statistics of a part go on over an absence. An error of discovery is one of them.
func TestStatisticsOverAbsence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newOptional()
		inf := newInformer(s, informer.WithErrorHandler(func(error) {}))
		start(t, inf)
		after(time.Minute)
		s.remove()
		after(15 * time.Second)
		if doing := inf.Stats().Sources[0].Doing; doing != reflector.EventAbsent {
			t.Errorf("an absent type is %s", doing)
		}
		s.unknown.Store(true)
		inf.Wake()
		synctest.Wait()
		s.unknown.Store(false)
		s.install()
		after(15 * time.Second)
		stats := inf.Stats().Sources[0]
		if n := stats.Requests[reflector.OpWatchList]; n != 2 || stats.Doing != reflector.EventWatching {
			t.Errorf("%d lists, and %s", n, stats.Doing)
		}
		if n := stats.Errors[reflector.ErrorKind{Op: reflector.OpDiscovery, Reason: "Other"}]; n != 1 || len(stats.Errors) != 1 {
			t.Errorf("errors: %v", stats.Errors)
		}
	})
}

// A call of Wake before the informer runs has it ask once more.
func TestWakeBeforeRun(t *testing.T) {
	asked := map[bool]int32{}
	for _, wakes := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newOptional()
			s.remove()
			inf := newInformer(s)
			if wakes {
				inf.Wake()
			}
			start(t, inf)
			synctest.Wait()
			asked[wakes] = s.asked.Load()
		})
	}
	if asked[true] != asked[false]+1 {
		t.Errorf("asked %v times", asked)
	}
}
