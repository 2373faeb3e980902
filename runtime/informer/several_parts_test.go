// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
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
	each func(source.Delta[*object], error) error,
) (metav1.ListMeta, error) {
	s.wait()
	return s.ListerWatcher.List(ctx, opts, each)
}

func (s *lateSource) Watch(
	ctx context.Context, opts metav1.ListOptions, each sourcetest.Sender[*object],
) error {
	s.wait()
	return s.ListerWatcher.Watch(ctx, opts, each)
}

// A handler may wait in its call for the informer to have synced, also if its buffer is full
// of changes of one of several parts: the first lists of the others get past.
func TestHandlerWaitsForSyncOfAnotherPart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy, slow := runtimetest.NewServer[*object](), runtimetest.NewServer[*object]()
		busy.Set(in("busy", "a"))
		slow.Set(in("slow", "b"))
		src, _ := ofParts(map[string]source.ListerWatcher[*object]{"busy": busy, "slow": &lateSource{slow, time.Hour}})
		inf := newInformer(src)
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
			t.Error("the busy part was not held up")
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

// Several parts that wait for one handler all go on when it does.
func TestSeveralPartsWaitForRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var servers []*runtimetest.Server[*object]
		parts := map[string]source.ListerWatcher[*object]{}
		for i := range 3 {
			srv := runtimetest.NewServer[*object]()
			parts[fmt.Sprint(i)] = srv
			servers = append(servers, srv)
		}
		src, _ := ofParts(parts)
		inf := newInformer(src)
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
