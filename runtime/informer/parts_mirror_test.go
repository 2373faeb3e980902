// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"k8s.io/apimachinery/pkg/types"
)

// TestPartsMirror has the parts of a source come and go at random, namespaces and at times all of them, while
// the server writes, cuts, forgets and fails, handlers of all kinds come and go, and the informer is
// stopped and run again. In the end the store must have what all parts have together, each handler the
// contents of the store, by consistent steps, and every wait must have ended.
func TestPartsMirror(t *testing.T) {
	withSeeds(t, 100, 10, 2, partsMirrored)
}

// contentsOf returns what an informer of namespaces must hold: by key, UIDs and versions.
func contentsOf(srv *runtimetest.Server[*object], namespaces []string) map[types.NamespacedName]string {
	all := map[types.NamespacedName]string{}
	for _, o := range existing(srv) {
		if slices.Contains(namespaces, "") || slices.Contains(namespaces, o.Namespace) {
			all[keyOf(o)] = string(o.UID) + "@" + o.ResourceVersion
		}
	}
	return all
}

func partsMirrored(t *testing.T, rnd *rand.Rand) {
	srv := runtimetest.NewServer[*object]()
	srv.NoWatchList = rnd.IntN(2) == 0
	newSet := source.NewNamespaces
	if rnd.IntN(2) == 0 {
		newSet = source.NewHandover[string]
	}
	namespace := func() string { return fmt.Sprint("a", rnd.IntN(4)) }
	namespaces := newSet(namespace())
	tempo := someDelay(rnd)
	src := source.ForEach(
		namespaces,
		func(ns string) source.Source[*object] {
			return source.Source[*object]{ListerWatcher: tardy{srv.In(ns), tempo}}
		},
	)
	inf := newInformer(src, informer.WithBatchSize(1+rnd.IntN(4)),
		informer.WithErrorHandler(func(error) {}),
		informer.WithReflector(reflector.Settings{
			PageSize: int64(rnd.IntN(4)), Backoff: reflector.Backoff{Initial: time.Millisecond, Max: 10 * time.Millisecond},
		}))
	all := newMirrors(t, rnd, inf)
	all.disordered = true // if the part that is ahead is removed, an object goes back to what another part has
	for range 3 {
		all.add()
	}
	var waiting sync.WaitGroup
	wait := func(what string, f func(context.Context) error) {
		waiting.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
			defer cancel()
			if err := f(ctx); errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("waiting for %s: %v", what, err)
			}
		})
	}
	stop := start(t, inf)
	var changing sync.WaitGroup
	patience := func() (context.Context, context.CancelFunc) {
		return context.WithTimeout(context.Background(), time.Duration(rnd.IntN(30))*time.Millisecond)
	}
	for range 150 {
		switch rnd.IntN(26) {
		case 0:
			srv.CutWatches(nil)
		case 1:
			srv.CutWatches(io.ErrUnexpectedEOF)
		case 2:
			srv.Compact()
			srv.CutWatches(nil)
		case 3:
			srv.Fail(runtimetest.TooManyRequests(0), runtimetest.Expired())
		case 4:
			stop()
			stop = start(t, inf)
		case 5, 6, 7: // which may take longer than the test has patience for
			var parts []string
			for n := range 4 {
				if rnd.IntN(2) == 0 {
					parts = append(parts, fmt.Sprint("a", n))
				}
			}
			if rnd.IntN(3) == 0 {
				parts = append(parts, "")
			}
			ctx, cancel := patience()
			changing.Go(func() { defer cancel(); _ = namespaces.Replace(ctx, parts...) })
			synctest.Wait()
		case 8, 9:
			time.Sleep(time.Duration(rnd.IntN(20)) * time.Millisecond)
		case 10, 11:
			synctest.Wait()
		case 12, 13:
			all.add()
		case 14:
			all.remove()
		case 15, 16:
			rv := srv.ResourceVersion()
			wait("sync", inf.WaitForSync)
			wait("version "+rv, func(ctx context.Context) error { return inf.WaitFor(ctx, rv) })
		case 17, 18, 19:
			srv.Delete(namespace(), fmt.Sprint("w", rnd.IntN(3)))
		default:
			o := widget(fmt.Sprint("w", rnd.IntN(3)), "v", fmt.Sprint(rnd.IntN(100)))
			o.Namespace = namespace()
			srv.Set(o)
		}
	}
	time.Sleep(20 * time.Second)
	changing.Wait()
	// A change that ran out of patience is made good by the next.
	if err := namespaces.Replace(t.Context(), namespaces.Parts()...); err != nil {
		t.Error(err)
	}
	time.Sleep(2 * time.Minute) // in which a bookmark comes
	waiting.Wait()
	all.agree()
	stop()
	got := map[types.NamespacedName]string{}
	for o := range inf.Store().Reader().All() {
		got[keyOf(o)] = string(o.UID) + "@" + o.ResourceVersion
	}
	if want := contentsOf(srv, namespaces.Parts()); !maps.Equal(got, want) {
		t.Errorf("of the namespaces %q the store has\n%v, want\n%v", namespaces.Parts(), got, want)
	}
}
