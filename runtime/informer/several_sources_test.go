// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// lateSource answers its first request after some time.
type lateSource struct {
	source.ListerWatcher[*object]

	after time.Duration
}

func (s *lateSource) wait() {
	time.Sleep(s.after)
	s.after = 0
}

func (s *lateSource) List(
	ctx context.Context,
	opts metav1.ListOptions,
	each func(source.Item[*object]) error,
) (metav1.ListMeta, error) {
	s.wait()
	return s.ListerWatcher.List(ctx, opts, each)
}

func (s *lateSource) Watch(
	ctx context.Context,
	opts metav1.ListOptions,
) iter.Seq2[source.Event[*object], error] {
	return func(yield func(source.Event[*object], error) bool) {
		s.wait()
		s.ListerWatcher.Watch(ctx, opts)(yield)
	}
}

// A handler may wait in its call for the informer to have synced, also if its buffer is full
// of what one of several sources has to say: the first lists of the others get past.
func TestHandlerWaitsForSyncOfAnotherSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy, slow := runtimetest.NewServer[*object](), runtimetest.NewServer[*object]()
		busy.Set(in("busy", "a"))
		slow.Set(in("slow", "b"))
		inf := newInformer(nil)
		for name, src := range map[string]source.ListerWatcher[*object]{"busy": busy, "slow": &lateSource{slow, time.Hour}} {
			if _, err := inf.AddSource(name, src); err != nil {
				t.Fatal(err)
			}
		}
		var got []error
		calls := 0
		wait := func(*object, bool) {
			if calls++; calls > 1 {
				return
			}
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Hour)
			defer cancel()
			got = append(got, inf.WaitForSync(ctx))
		}
		inf.AddEventHandler(informer.HandlerFuncs[*object]{
			AddFunc: wait, UpdateFunc: func(_, o *object) { wait(o, false) },
		}, informer.WithBuffer(10))
		rec := &recorder{}
		inf.AddEventHandler(rec, informer.WithBuffer(10))
		start(t, inf)
		synctest.Wait()
		for i := range 100 {
			busy.Set(in("busy", fmt.Sprint("a", i)))
			synctest.Wait()
		}
		if inf.Store().Reader().Len() > 20 {
			t.Error("the busy source was not held up")
		}
		time.Sleep(3 * time.Hour)
		synctest.Wait()
		if len(got) != 1 || got[0] != nil {
			t.Errorf("the handler's wait got %v", got)
		}
		if calls != 102 || len(strings.Fields(rec.got())) != 102 {
			t.Errorf("%d calls", calls)
		}
	})
}

// Several sources that wait for one handler all go on when it does.
func TestSeveralSourcesWaitForRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inf := newInformer(nil)
		var servers []*runtimetest.Server[*object]
		for i := range 3 {
			srv := runtimetest.NewServer[*object]()
			if _, err := inf.AddSource(fmt.Sprint(i), srv); err != nil {
				t.Fatal(err)
			}
			servers = append(servers, srv)
		}
		slow := &recorder{hold: make(chan struct{})}
		inf.AddEventHandler(slow, informer.WithBuffer(2))
		start(t, inf)
		synctest.Wait()
		for n := range 20 {
			for i, srv := range servers {
				srv.Set(in(fmt.Sprint(i), fmt.Sprint(n)))
				synctest.Wait()
			}
		}
		if n := inf.Store().Reader().Len(); n > 2+1+len(servers) {
			t.Errorf("%d objects went past a buffer of 2", n)
		}
		close(slow.hold)
		synctest.Wait()
		if n := len(strings.Fields(slow.got())); n != 60 {
			t.Errorf("%d calls of 60", n)
		}
	})
}

// A version is not reached when there is no source that could reach it.
func TestWaitForWithoutSources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inf := newInformer(runtimetest.NewServer[*object]())
		start(t, inf)
		waited := make(chan error)
		go func() { waited <- inf.WaitFor(t.Context(), "1000000") }()
		synctest.Wait()
		if err := inf.Source("").Remove(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := <-waited; !errors.Is(err, informer.ErrNoSource) {
			t.Errorf("a wait for the source that was removed got %v", err)
		}
		if err := inf.WaitFor(t.Context(), "1000000"); !errors.Is(err, informer.ErrNoSource) {
			t.Errorf("got %v", err)
		}
	})
}

// The error of a wait for one source has no empty parts.
func TestWaitForSyncOfOneSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inf := newInformer(nil)
		s, err := inf.AddSource("a", &lateSource{runtimetest.NewServer[*object](), time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		start(t, inf)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		const want = "informer of widgets.example.com/v1, source a has not synced: context deadline exceeded; no error so far"
		if err := s.WaitForSync(ctx); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	})
}
