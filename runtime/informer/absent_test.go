// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// optional is a server of a type that comes and goes. Its discovery may be wrong.
type optional struct {
	*runtimetest.Server[*object]
	absent, unserved atomic.Bool // for requests of the type, and in discovery
	unknown          atomic.Bool // in discovery
	spared           atomic.Bool // namespace third is served
	asked            atomic.Int32
}

func newOptional() *optional { return &optional{Server: runtimetest.NewServer[*object]()} }

func (s *optional) Source() source.Source[*object] {
	return source.Source[*object]{ListerWatcher: s, Served: func(context.Context) (bool, error) {
		s.asked.Add(1)
		if s.unknown.Load() {
			return false, errors.New("stale")
		}
		return !s.unserved.Load(), nil
	}}
}

func (s *optional) refusal() error {
	if s.absent.Load() {
		return apierrors.NewGenericServerResponse(404, "list", widgets.GroupResource(), "", "404 page not found", 0, true)
	}
	return nil
}

func (s *optional) List(
	ctx context.Context, opts metav1.ListOptions, each func(source.Delta[*object], error) error,
) (metav1.ListMeta, error) {
	if err := s.refusal(); err != nil {
		return metav1.ListMeta{}, err
	}
	return s.Server.List(ctx, opts, each)
}

func (s *optional) Watch(ctx context.Context, opts metav1.ListOptions, each sourcetest.Sender[*object]) error {
	if err := s.refusal(); err != nil {
		return err
	}
	return s.Server.Watch(ctx, opts, each)
}

// remove removes the type, whose objects stay for the next install.
func (s *optional) remove() {
	s.absent.Store(true)
	s.unserved.Store(true)
	s.CutWatches(nil)
}

func (s *optional) install() {
	s.absent.Store(false)
	s.unserved.Store(false)
}

func isPresent(inf *informer.Informer[*object]) bool {
	present, _ := inf.Present()
	return present
}

// after is a moment after d, and then everything has settled.
func after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestAbsentType(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		s, r, log := newOptional(), &recorder{}, newLines()
		s.Set(widget("a"))
		s.remove()
		var errs atomic.Int32
		inf := newInformer(s, informer.WithLogger(slog.New(log)), informer.WithErrorHandler(func(error) { errs.Add(1) }))
		handler := inf.AddEventHandler(r, opts...)
		start(t, inf)
		synctest.Wait()
		if !inf.HasSynced() || !handler.HasSynced() || isPresent(inf) || inf.Stats().Present {
			t.Fatal("an absent type is not synced, or present")
		}
		after(time.Minute)
		if got := strings.Join(log.got(), "; "); strings.Count(got, "INFO absent") != 1 || strings.Contains(got, "error") {
			t.Errorf("logged %q", got)
		}
		if err := inf.WaitFor(t.Context(), "1"); !errors.Is(err, store.ErrAbsent) {
			t.Errorf("WaitFor while absent: %v", err)
		}
		isGone := func(now reader) bool { _, exists := now.Get(keyOf(widget("a"))); return !exists }
		if err := inf.Store().Reader().WaitUntil(t.Context(), isGone); err != nil {
			t.Errorf("a wait for a deletion: %v", err)
		}

		s.install()
		_, changed := inf.Present()
		began := time.Now()
		<-changed
		if took := time.Since(began); took > 10*time.Second || inf.Store().Reader().Len() != 1 {
			t.Errorf("present after %v with %d objects", took, inf.Store().Reader().Len())
		}
		expect(t, r, "+a*")
		if err := inf.WaitFor(t.Context(), s.Set(widget("b"))); err != nil || !isPresent(inf) {
			t.Errorf("WaitFor while present: %v", err)
		}
		expect(t, r, "+b")

		after(time.Minute)
		_, changed = inf.Present()
		s.remove()
		began = time.Now()
		wait := begin(t, inf.WaitFor, "100")
		after(9 * time.Second)
		expect(t, r, "")
		wait.lasts(t, "before discovery has said so twice")
		<-changed
		if took := time.Since(began); took > 12*time.Second || inf.Store().Reader().Len() != 0 || isPresent(inf) {
			t.Errorf("absent after %v with %d objects", took, inf.Store().Reader().Len())
		}
		wait.ends(t, "absent", store.ErrAbsent)
		synctest.Wait()
		got := strings.Fields(r.got())
		if slices.Sort(got); !slices.Equal(got, []string{"-a?", "-b?"}) {
			t.Errorf("got %v", got)
		}

		s.Delete("ns", "b")
		s.install()
		inf.Wake()
		synctest.Wait()
		expect(t, r, "+a*")
		if n := errs.Load(); n != 0 || inf.LastError() != nil {
			t.Errorf("%d errors: %v", n, inf.LastError())
		}
	})
}

var denied = runtimetest.Forbidden("list", widgets.GroupResource())

// Only a 404 asks, and only a certain answer counts.
func TestNotAbsent(t *testing.T) {
	for name, test := range map[string]struct {
		fail func(*optional)
		want string
	}{
		"forbidden":          {func(s *optional) { s.unserved.Store(true); s.Fail(denied, denied, denied) }, "forbidden"},
		"served":             {func(s *optional) { s.absent.Store(true) }, "could not find"},
		"discovery is down":  {func(s *optional) { s.remove(); s.unknown.Store(true) }, "could not find"},
		"unserved, but 200":  {func(s *optional) { s.unserved.Store(true) }, ""},
		"discovery is silly": {func(s *optional) { s.absent.Store(true); s.unknown.Store(true) }, "stale"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newOptional()
				test.fail(s)
				var errs atomic.Value
				errs.Store("")
				inf := newInformer(s, informer.WithErrorHandler(func(err error) {
					errs.Store(errs.Load().(string) + err.Error())
				}))
				start(t, inf)
				synctest.Wait()
				got := errs.Load().(string)
				if inf.HasSynced() != (test.want == "") || !strings.Contains(got, test.want) || (got == "") != (test.want == "") {
					t.Errorf("synced: %v, errors: %s", inf.HasSynced(), got)
				}
			})
		})
	}
}

// A type that is there again within ten seconds was never absent.
func TestTypeIsBackSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, r := newOptional(), &recorder{}
		s.Set(widget("a"))
		inf := newInformer(s)
		inf.AddEventHandler(r)
		start(t, inf)
		expect(t, r, "+a*")
		s.remove()
		after(3 * time.Second)
		s.install()
		s.Set(widget("b"))
		inf.Wake()
		after(3 * time.Second)
		expect(t, r, "+b")
		s.remove()
		after(time.Second)
		inf.Wake() // does not shorten the ten seconds
		after(8 * time.Second)
		if !isPresent(inf) {
			t.Error("absent after 9 s")
		}
		after(2 * time.Second)
		if isPresent(inf) {
			t.Error("present after 11 s")
		}
	})
}

// The ten seconds begin with the first certain answer: an error between two answers does not count as one.
func TestUnknownIsNotAbsent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newOptional()
		inf := newInformer(s, informer.WithErrorHandler(func(error) {}))
		start(t, inf)
		synctest.Wait()
		s.unknown.Store(true)
		s.remove()
		after(8 * time.Second)
		s.unknown.Store(false)
		after(9 * time.Second)
		if !isPresent(inf) {
			t.Error("absent 9 s after the first certain answer, or earlier")
		}
		after(30 * time.Second)
		if isPresent(inf) {
			t.Error("still present")
		}
	})
}

// Present changes when all parts have.
func TestAbsentParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newOptional()
		s.Set(widget("a"))
		s.remove()
		set := source.NewNamespaces("ns", "other")
		src := source.ForEach(set, func(namespace string) source.Source[*object] {
			inOne := s.Source()
			inOne.ListerWatcher = namespaced{s, namespace}
			served := inOne.Served
			inOne.Served = func(ctx context.Context) (bool, error) {
				is, err := served(ctx)
				return is || namespace == "third" && s.spared.Load(), err
			}
			return inOne
		})
		inf := newInformer(src)
		stop := start(t, inf)
		synctest.Wait()
		if !inf.HasSynced() || isPresent(inf) {
			t.Fatal("not synced, or present")
		}
		if err := set.Replace(t.Context(), "ns", "third"); err != nil {
			t.Error(err)
		}
		s.install()
		after(10 * time.Second)
		if !isPresent(inf) || inf.Store().Reader().Len() != 1 {
			t.Error("not present")
		}
		s.spared.Store(true)
		s.remove()
		after(time.Minute)
		if !isPresent(inf) || inf.Store().Reader().Len() != 0 {
			t.Error("absent as soon as one part is, or its objects stay")
		}
		if !inf.IsPartAbsent("ns") || inf.IsPartAbsent("third") || inf.IsPartAbsent("none") {
			t.Error("not absent in ns alone")
		}
		s.spared.Store(false)
		s.install()
		after(time.Minute)
		stop()
		s.remove()
		start(t, inf)
		after(9 * time.Second)
		if !isPresent(inf) {
			t.Error("absent at once in the second run")
		}
		after(2 * time.Second)
		if isPresent(inf) || !errors.Is(inf.WaitFor(t.Context(), "100"), store.ErrAbsent) {
			t.Error("not absent in the second run")
		}
	})
}

type namespaced struct {
	*optional
	namespace string
}

func (s namespaced) List(
	ctx context.Context, opts metav1.ListOptions, each func(source.Delta[*object], error) error,
) (metav1.ListMeta, error) {
	if err := s.refusal(); err != nil && (s.namespace != "third" || !s.spared.Load()) {
		return metav1.ListMeta{}, err
	}
	return s.In(s.namespace).List(ctx, opts, each)
}

func (s namespaced) Watch(ctx context.Context, opts metav1.ListOptions, each sourcetest.Sender[*object]) error {
	if s.refusal() != nil && (s.namespace != "third" || !s.spared.Load()) {
		return s.optional.Watch(ctx, opts, each)
	}
	return s.In(s.namespace).Watch(ctx, opts, each)
}

// A part that has never listed leaves; those that stay then agree that the type is present, or absent.
func TestUnreadPartLeaves(t *testing.T) {
	for _, absent := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newOptional()
			s.Set(widget("a"))
			if absent {
				s.remove()
			}
			namespaces := source.NewNamespaces("ns", "forbidden")
			inf := newInformer(source.ForEach(namespaces, func(namespace string) source.Source[*object] {
				one := s.Source()
				one.ListerWatcher = namespaced{s, namespace}
				if namespace == "forbidden" {
					forbidden := &sourcetest.Script[*object]{NoWatchList: true}
					for range 1000 {
						forbidden.Lists(sourcetest.ListError[*object](denied))
					}
					one.ListerWatcher = forbidden.Source().ListerWatcher
				}
				return one
			}))
			start(t, inf)
			after(time.Second)
			_, changed := inf.Present()
			if isPresent(inf) {
				t.Error("present before all parts have listed")
			}
			if err := namespaces.Replace(t.Context(), "ns"); err != nil {
				t.Error(err)
			}
			if isPresent(inf) == absent {
				t.Errorf("present: %t, absent: %t", isPresent(inf), absent)
			}
			select {
			case <-changed:
				if absent {
					t.Error("reported a change")
				}
			default:
				if !absent {
					t.Error("reported no change")
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			version := "1"
			if absent {
				version = "1000000"
			}
			if err := inf.WaitFor(ctx, version); errors.Is(err, store.ErrAbsent) != absent {
				t.Errorf("a wait ends with %v", err)
			}
		})
	}
}
