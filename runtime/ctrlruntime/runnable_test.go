// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/cache"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func TestRunnable(t *testing.T) {
	for _, leaderOnly := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			api := runtimetest.NewServer[*corev1.Secret]()
			api.NoWatchList = true
			gvr := corev1.SchemeGroupVersion.WithResource("secrets")
			for range 5 {
				api.Fail(runtimetest.Forbidden("list", gvr.GroupResource()))
			}
			running := &ctrlruntime.Runnable{
				Runner:     informer.New(gvr, api.Source(), store.ForObjects[*corev1.Secret]()),
				LeaderOnly: leaderOnly,
			}
			if running.NeedLeaderElection() != leaderOnly {
				t.Error("wrong answer of NeedLeaderElection")
			}
			if err := running.Ready(nil); (err == nil) != leaderOnly {
				t.Errorf("before the start, leader only %v: %v", leaderOnly, err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() { ended <- running.Start(ctx) }()
			synctest.Wait()
			err := running.Ready(nil)
			for _, part := range []string{"secrets/v1", "not ready", "forbidden", "grant the verbs"} {
				if err == nil || !strings.Contains(err.Error(), part) {
					t.Errorf("while it fails: %v, not %q", err, part)
				}
			}
			if err := running.Runner.WaitForSync(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := running.Ready(nil); err != nil {
				t.Errorf("once it has synced: %v", err)
			}
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

func TestCacheReady(t *testing.T) {
	s := newAPIServer(t)
	fillServer(s)
	c := start(t, ctrlruntime.NewCache, s, cache.Options{}, func(c cache.Cache) {
		if _, err := c.GetInformer(t.Context(), &corev1.Pod{}); err != nil {
			t.Fatal(err)
		}
	})
	if err := ctrlruntime.WaitForSync(testContext(t), c); err != nil {
		t.Fatal(err)
	}
	if err := ctrlruntime.CacheReady(c)(httptest.NewRequest("", "/", nil)); err != nil {
		t.Error(err)
	}
}
