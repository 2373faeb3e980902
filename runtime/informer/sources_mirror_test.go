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

// TestSourcesMirror has the sources of an informer come and go at random, those of a set
// of namespaces and others that overlap them or are of another server, while the servers
// write, cut, forget and fail, handlers of all kinds come and go, and the informer is
// stopped and run again. In the end the store must have what all its sources have together,
// each handler the contents of the store, by consistent steps, and every wait for a source must have
// ended.
func TestSourcesMirror(t *testing.T) {
	withSeeds(t, 100, 10, 2, sourcesMirrored)
}

// world is what a random test of sources is about.
type world struct {
	servers    map[string]*runtimetest.Server[*object] // by the prefix of their namespaces
	namespaces *source.Namespaces
	extra      map[string]string // sources beside those of the set: namespaces by name
}

// holds returns what an informer of w must hold: by key, UIDs and versions.
func (w *world) holds() map[types.NamespacedName]string {
	all := map[types.NamespacedName]string{}
	add := func(srv *runtimetest.Server[*object], namespace string) {
		for _, o := range existing(srv) {
			if namespace == "" || o.Namespace == namespace {
				all[keyOf(o)] = string(o.UID) + "@" + o.ResourceVersion
			}
		}
	}
	for _, ns := range w.namespaces.Parts() {
		add(w.servers["a"], ns)
	}
	for name, ns := range w.extra {
		add(w.servers[name[:1]], ns)
	}
	return all
}

func sourcesMirrored(t *testing.T, rnd *rand.Rand) {
	w := world{
		servers: map[string]*runtimetest.Server[*object]{
			"a": runtimetest.NewServer[*object](),
			"b": runtimetest.NewServer[*object](),
		},
		namespaces: source.NewNamespaces(fmt.Sprint("a", rnd.IntN(4))),
		extra:      map[string]string{},
	}
	for _, srv := range w.servers {
		srv.NoWatchList = rnd.IntN(2) == 0
	}
	tempo := someDelay(rnd)
	src := source.ForEach(
		w.namespaces,
		func(ns string) source.ListerWatcher[*object] { return tardy{w.servers["a"].In(ns), tempo} },
	)
	inf := newInformer(src, informer.WithBatchSize(1+rnd.IntN(4)),
		informer.WithErrorHandler(func(error) {}),
		informer.WithReflector(reflector.Settings{
			PageSize: int64(rnd.IntN(4)), Backoff: reflector.Backoff{Initial: time.Millisecond, Max: 10 * time.Millisecond},
		}))
	all := newMirrors(t, rnd, inf)
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
		prefix := []string{"a", "b"}[rnd.IntN(2)]
		srv := w.servers[prefix]
		ns := fmt.Sprint(prefix, rnd.IntN(4))
		switch rnd.IntN(29) {
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
			ctx, cancel := patience()
			changing.Go(func() { defer cancel(); _ = w.namespaces.Set(ctx, parts...) })
			synctest.Wait()
		case 8, 9: // one beside the set
			name, scope := prefix+" beside", ns
			if prefix == "b" || rnd.IntN(3) == 0 {
				scope = ""
			}
			if _, err := inf.AddSource(name, tardy{srv.In(scope), someDelay(rnd)}); err == nil {
				w.extra[name] = scope
			}
		case 10:
			for name := range w.extra {
				ctx, cancel := patience()
				changing.Go(func() { defer cancel(); _ = inf.Source(name).Remove(ctx) })
				delete(w.extra, name)
				break
			}
			synctest.Wait()
		case 11, 12:
			time.Sleep(time.Duration(rnd.IntN(20)) * time.Millisecond)
		case 13, 14:
			synctest.Wait()
		case 24, 25:
			all.add()
		case 26:
			all.remove()
		case 27, 28:
			sources := inf.Sources()
			if len(sources) == 0 {
				continue
			}
			one := sources[rnd.IntN(len(sources))]
			rv := w.servers[one.Name()[:1]].ResourceVersion()
			wait("sync of "+one.Name(), one.WaitForSync)
			wait(
				"version "+rv+" of "+one.Name(),
				func(ctx context.Context) error { return one.WaitFor(ctx, rv) },
			)
		case 15, 16, 17:
			srv.Delete(ns, fmt.Sprint("w", rnd.IntN(3)))
		default:
			o := widget(fmt.Sprint("w", rnd.IntN(3)), "v", fmt.Sprint(rnd.IntN(100)))
			o.Namespace = ns
			srv.Set(o)
		}
	}
	time.Sleep(20 * time.Second)
	changing.Wait()
	// A change that ran out of patience is made good by the next.
	if err := w.namespaces.Set(t.Context(), w.namespaces.Parts()...); err != nil {
		t.Error(err)
	}
	for _, s := range inf.Sources() {
		if _, wanted := w.extra[s.Name()]; s.Name()[1:] == " beside" && !wanted {
			if err := s.Remove(t.Context()); err != nil {
				t.Error(err)
			}
		}
	}
	time.Sleep(2 * time.Minute) // in which a bookmark comes
	waiting.Wait()
	all.agree()
	stop()
	got := map[types.NamespacedName]string{}
	for o := range inf.Store().Reader().All() {
		got[keyOf(o)] = string(o.UID) + "@" + o.ResourceVersion
	}
	if want := w.holds(); !maps.Equal(got, want) {
		t.Errorf(
			"of the namespaces %v and of %v the store has\n%v, want\n%v",
			w.namespaces.Parts(),
			w.extra,
			got,
			want,
		)
	}
}
