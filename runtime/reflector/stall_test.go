// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package reflector_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/inflow"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	rtt "github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestSlowListIsReported: a list that brings neither an object nor 64 KiB for 30 s is reported
// once for each time that it stalls, stands in Progress while it stalls, and is not cut.
func TestSlowListIsReported(t *testing.T) {
	const kib = 1 << 10
	for name, c := range map[string]struct {
		// each brings something, once in every interval; nil brings nothing.
		each    func(context.Context, func(source.Item[*object]) error)
		every   time.Duration
		reports int           // in 100 s
		stalled time.Duration // after 100 s
	}{
		"nothing": {nil, time.Second, 1, 100 * time.Second},
		"a byte a second": {func(ctx context.Context, _ func(source.Item[*object]) error) {
			inflow.From(ctx).Bytes(1)
		}, time.Second, 1, 100 * time.Second},
		"4 KiB a second": {func(ctx context.Context, _ func(source.Item[*object]) error) {
			inflow.From(ctx).Bytes(4 * kib)
		}, time.Second, 0, 0},
		"64 KiB in 20 s": {func(ctx context.Context, _ func(source.Item[*object]) error) {
			inflow.From(ctx).Bytes(64 * kib)
		}, 20 * time.Second, 0, 0},
		"an object in 20 s": {func(_ context.Context, each func(source.Item[*object]) error) {
			_ = each(source.Item[*object]{Object: obj("a", "1")})
		}, 20 * time.Second, 0, 0},
		"an object of another shard in 20 s": {func(ctx context.Context, _ func(source.Item[*object]) error) {
			inflow.From(ctx).LeftOut(types.NamespacedName{Name: "a"})
		}, 20 * time.Second, 0, 0},
		"an object in 48 s": {func(_ context.Context, each func(source.Item[*object]) error) {
			_ = each(source.Item[*object]{Object: obj("a", "1")})
		}, 48 * time.Second, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				src := (&rtt.Script[*object]{NoWatchList: true}).Lists(func(ctx context.Context, _ metav1.ListOptions, each func(source.Item[*object]) error) (metav1.ListMeta, error) {
					for time.Since(began) < 110*time.Second {
						time.Sleep(c.every)
						if c.each != nil {
							c.each(ctx, each)
						}
					}
					return metav1.ListMeta{ResourceVersion: "5"}, ctx.Err()
				}).Watches(rtt.Stream(rtt.Hang[*object]()))
				var (
					mu      sync.Mutex
					reports []error
				)
				r := reflector.New(src, &sink{}, options{OnError: func(err error) {
					mu.Lock()
					defer mu.Unlock()
					reports = append(reports, err)
				}})
				ctx, cancel := context.WithCancel(t.Context())
				done := make(chan struct{})
				go func() { defer close(done); r.Run(ctx) }()
				time.Sleep(100*time.Second + time.Millisecond)
				synctest.Wait()
				// What was received since the last look may count from there.
				if got := r.Progress().Stalled; got < c.stalled || got > c.stalled+2*time.Second {
					t.Errorf("Progress says that the list has stalled for %v, want %v", got, c.stalled)
				}
				mu.Lock()
				if len(reports) != c.reports {
					t.Errorf("%d reports, want %d: %v", len(reports), c.reports, reports)
				}
				for _, err := range reports {
					e := new(reflector.Error)
					if !errors.Is(err, reflector.ErrSlowList) || !errors.As(err, &e) || e.Op != reflector.OpList || reflector.Reason(err) != "SlowList" {
						t.Errorf("reported %v", err)
					}
				}
				mu.Unlock()
				time.Sleep(time.Minute)
				synctest.Wait()
				if p := r.Progress(); p.Phase != reflector.PhaseWatching || p.Stalled != 0 {
					t.Errorf("after the list: %+v", p)
				}
				cancel()
				<-done
			})
		})
	}
}

// TestRunWaitsForTheReportOfASlowList: Run does not return while OnError is being called.
func TestRunWaitsForTheReportOfASlowList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := (&rtt.Script[*object]{NoWatchList: true}).Lists(rtt.ListHang[*object]())
		called, hold := make(chan struct{}), make(chan struct{})
		r := reflector.New(src, &sink{}, options{OnError: func(error) { close(called); <-hold }})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); r.Run(ctx) }()
		<-called
		cancel()
		synctest.Wait()
		select {
		case <-done:
			t.Error("Run has returned")
		default:
		}
		close(hold)
		<-done
	})
}
