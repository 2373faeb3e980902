// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// exits is a source that ends the goroutine that lists it, as a fake does that calls
// FailNow of package testing.
type exits struct{ source.ListerWatcher[*object] }

func (exits) SupportsWatchList() bool { return false }

func (exits) List(context.Context, metav1.ListOptions, func(source.Item[*object]) error) (metav1.ListMeta, error) {
	runtime.Goexit()
	return metav1.ListMeta{}, nil
}

// Who waits for an informer whose source has ended the goroutine that reads it learns that,
// and the other sources are read.
func TestSourceEndsItsGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		var told []error
		inf := newInformer(nil, informer.WithErrorHandler(func(err error) { told = append(told, err) }))
		if _, err := inf.AddSource("good", srv); err != nil {
			t.Fatal(err)
		}
		if _, err := inf.AddSource("bad", exits{srv}); err != nil {
			t.Fatal(err)
		}
		rec := &recorder{}
		inf.AddHandler(rec)
		for range 2 { // runs
			stop := start(t, inf)
			synctest.Wait()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			err := inf.WaitForSync(ctx)
			cancel()
			if !errors.Is(err, informer.ErrSourceExited) || !strings.Contains(err.Error(), "source bad: last error: ") {
				t.Errorf("WaitForSync: %v", err)
			}
			stop()
		}
		expect(t, rec, "+a*")
		if len(told) != 2 {
			t.Errorf("told %v", told)
		}
	})
}

// What the store or the reflector calls may end the goroutine that it is called on: it is
// told which it was, and of which object, the other objects are read and indexed, and who
// waits is answered.
func TestForeignCodeEndsItsGoroutine(t *testing.T) {
	bad := func(o *object) bool { return o.Name == "bad" }
	named := func(o *object) types.NamespacedName {
		if bad(o) {
			runtime.Goexit()
		}
		return keyOf(o)
	}
	const exited = "has ended its goroutine by runtime.Goexit"
	for name, test := range map[string]struct {
		key       func(*object) types.NamespacedName
		index     func(o *object)
		transform func(o *object)
		want      error
		text      []string // in the error
		stored    bool     // the bad one is
	}{
		"index function": {
			index: func(o *object) {
				if bad(o) {
					runtime.Goexit()
				}
			},
			want: store.ErrExited, text: []string{"index name: object ns/bad: ", exited}, stored: true,
		},
		"key function": {key: named, want: store.ErrExited, text: []string{"has no key", exited}},
		"transform": {
			transform: func(o *object) {
				if bad(o) {
					runtime.Goexit()
				}
			},
			want: reflector.ErrTransformExited, text: []string{"decode ns/bad: ", exited},
		},
	} {
		for when, first := range map[string]bool{"in the first list": true, "later": false} {
			t.Run(name+" "+when, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					srv := runtimetest.NewServer[*object]()
					srv.Set(widget("a"))
					if first {
						srv.Set(widget("bad"))
					}
					s := store.ForObjects[*object]()
					if test.key != nil {
						s = store.New(test.key)
					}
					byName := store.AddIndex(s, "name", func(dst []string, o *object) []string {
						if test.index != nil {
							test.index(o)
						}
						return append(dst, o.Name)
					})
					var told []error
					opts := []informer.Option{informer.WithErrorHandler(func(err error) { told = append(told, err) })}
					if test.transform != nil {
						opts = append(opts, informer.WithTransform(func(o *object) (*object, error) { test.transform(o); return o, nil }))
					}
					inf := informer.New(widgets, srv, s, opts...)
					rec := &recorder{}
					inf.AddHandler(rec)
					stop := start(t, inf)
					if err := inf.WaitForSync(t.Context()); err != nil {
						t.Fatal(err)
					}
					srv.Set(widget("bad"))
					srv.Set(widget("b"))
					synctest.Wait()
					if err := inf.WaitFor(t.Context(), srv.ResourceVersion()); err != nil {
						t.Error(err)
					}
					live := s.Reader()
					if _, ok := live.Get(keyOf(widget("b"))); !ok || byName.Count(live, "a") != 1 || byName.Count(live, "b") != 1 || byName.Count(live, "bad") != 0 {
						t.Errorf("the store has %v", held(inf))
					}
					got := " " + rec.got()
					if !strings.Contains(got, "+a*") || !strings.HasSuffix(got, " +b") || strings.Contains(got, "bad") != test.stored {
						t.Errorf("the handler was told%s", got)
					}
					err := inf.LastError()
					if !errors.Is(err, test.want) {
						t.Errorf("LastError: %v", err)
					}
					for _, text := range test.text {
						if err != nil && !strings.Contains(err.Error(), text) {
							t.Errorf("LastError: %v, want %q in it", err, text)
						}
					}
					for _, err := range told {
						if !errors.Is(err, test.want) {
							t.Errorf("told %v", err)
						}
					}
					srv.CutWatches(runtimetest.Expired())
					time.Sleep(time.Minute)
					srv.Delete("ns", "bad")
					srv.Delete("ns", "a")
					synctest.Wait()
					if n := s.Reader().Len(); n != 1 {
						t.Errorf("%v", held(inf))
					}
					stop()
				})
			})
		}
	}
}

// The function that a filter asks is part of the handler.
func TestFilterEndsItsGoroutine(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		for _, name := range []string{"a", "bad", "c"} {
			srv.Set(widget(name))
		}
		inf := newInformer(srv)
		rec := &recorder{}
		reg := inf.AddHandler(informer.Filter(func(o *object) bool {
			if o.Name == "bad" {
				runtime.Goexit()
			}
			return true
		}, informer.Handler[*object](rec)), opts...)
		start(t, inf)
		expect(t, rec, "+a* +c*")
		if !reg.HasSynced() || !errors.Is(inf.LastError(), informer.ErrHandlerExited) {
			t.Errorf("synced: %v, last error %v", reg.HasSynced(), inf.LastError())
		}
	})
}

// What nobody can call apart, as the order of an index, costs a source its run, and no more.
func TestOrderEndsItsGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		srv.Set(widget("b"))
		exits := true
		var told []error
		inf := newInformer(srv, informer.WithErrorHandler(func(err error) { told = append(told, err) }))
		byName := store.AddOrdered(inf.Store(), "name", func(dst []string, o *object) []string { return append(dst, o.Name) },
			func(a, b string) int {
				if exits {
					runtime.Goexit()
				}
				return strings.Compare(a, b)
			})
		rec := &recorder{}
		inf.AddHandler(rec)
		stop := start(t, inf)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := inf.WaitForSync(ctx); !errors.Is(err, informer.ErrStoreExited) {
			t.Errorf("WaitForSync: %v", err)
		}
		stop()
		if len(told) != 1 || inf.Store().Reader().Len() != 0 {
			t.Errorf("told %v; %v", told, held(inf))
		}
		exits = false
		start(t, inf)
		expect(t, rec, "+a* +b*")
		if n := byName.Count(inf.Store().Reader(), "b"); n != 1 {
			t.Errorf("%d under b", n)
		}
	})
}

// An error handler of the store may end its goroutine as one of the informer may.
func TestErrorHandlerOfTheStoreEndsItsGoroutine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("bad"))
		srv.Set(widget("good"))
		inf := informer.New(widgets, srv, store.ForObjects[*object](store.WithErrorHandler(func(error) { runtime.Goexit() })))
		store.AddIndex(inf.Store(), "name", func(dst []string, o *object) []string {
			if o.Name == "bad" {
				panic("no")
			}
			return append(dst, o.Name)
		})
		rec := &recorder{}
		inf.AddHandler(rec)
		start(t, inf)
		expect(t, rec, "+bad* +good*")
		srv.Set(widget("bad", "v", "2"))
		expect(t, rec, "~bad2")
	})
}
