// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package readthrough_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/readthrough"
	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var secrets = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}

// secret is an object whose value is in an annotation, which the metadata do not keep.
type secret = metav1.PartialObjectMetadata

func newSecret(name, value string) *secret {
	return &secret{ObjectMeta: metav1.ObjectMeta{
		Namespace: "ns", Name: name, Annotations: map[string]string{"value": value},
	}}
}

func keyOf(name string) types.NamespacedName {
	return types.NamespacedName{Namespace: "ns", Name: name}
}

func metadataOf(s *secret) (*readthrough.Metadata, error) {
	m := &readthrough.Metadata{}
	m.Namespace, m.Name, m.UID, m.ResourceVersion = s.Namespace, s.Name, s.UID, s.ResourceVersion
	return m, nil
}

// reads is a source of whole objects that counts lists and passes them to answer.
type reads struct {
	source.ListerWatcher[*secret]
	answer func(ctx context.Context, opts metav1.ListOptions, list sourcetest.ListReply[*secret],
		each func(source.Delta[*secret], error) error) (metav1.ListMeta, error)
	mu   sync.Mutex
	seen []metav1.ListOptions
}

func (r *reads) List(
	ctx context.Context, opts metav1.ListOptions, each func(source.Delta[*secret], error) error,
) (metav1.ListMeta, error) {
	r.mu.Lock()
	r.seen = append(r.seen, opts)
	answer := r.answer
	r.mu.Unlock()
	if answer != nil {
		return answer(ctx, opts, r.ListerWatcher.List, each)
	}
	return r.ListerWatcher.List(ctx, opts, each)
}

func (r *reads) reply(
	answer func(context.Context, metav1.ListOptions, sourcetest.ListReply[*secret],
		func(source.Delta[*secret], error) error) (metav1.ListMeta, error),
) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

func (r *reads) fail(err error) {
	r.reply(func(context.Context, metav1.ListOptions, sourcetest.ListReply[*secret],
		func(source.Delta[*secret], error) error) (metav1.ListMeta, error) {
		return metav1.ListMeta{}, err
	})
}

func (r *reads) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.seen)
}

// fixture is a cache of what a server has.
type fixture struct {
	*testing.T
	server *runtimetest.Server[*secret]
	reads  *reads
	watch  *informer.Informer[*readthrough.Metadata]
	cache  *readthrough.Cache[*readthrough.Metadata, *secret]
	stop   func()
}

func newFixture(t *testing.T, maxBytes int64) *fixture {
	f := &fixture{T: t, server: runtimetest.NewServer[*secret]()}
	f.reads = &reads{ListerWatcher: f.server}
	f.watch = informer.New(secrets, source.Map(f.server.Source(), metadataOf),
		store.ForObjects[*readthrough.Metadata]())
	f.cache = readthrough.New(f.watch, func(string) source.Source[*secret] { return source.Source[*secret]{ListerWatcher: f.reads} }, maxBytes)
	return f
}

func (f *fixture) start() {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := f.watch.Run(ctx); err != nil {
			f.Error(err)
		}
	})
	f.stop = func() { cancel(); running.Wait() }
	f.Cleanup(f.stop)
}

func (f *fixture) set(name, value string) {
	f.server.Set(newSecret(name, value))
}

// want checks what Get returns, and with how many requests.
func (f *fixture) want(name, value string, requests int) {
	f.Helper()
	before := f.reads.count()
	s, err := f.cache.Get(f.Context(), keyOf(name))
	if err != nil {
		f.Fatalf("%s: %v", name, err)
	}
	if got := s.Annotations["value"]; got != value {
		f.Errorf("%s is %q; want %q", name, got, value)
	}
	if n := f.reads.count() - before; n != requests {
		f.Errorf("%s cost %d requests; want %d", name, n, requests)
	}
}

func run(t *testing.T, maxBytes int64, test func(f *fixture)) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, maxBytes)
		f.set("a", "1")
		f.set("b", "1")
		f.start()
		synctest.Wait()
		test(f)
	})
}

// An object is requested when it is first read, and when it is read after a change.
func TestOneRequestForEachVersion(t *testing.T) {
	run(t, 0, func(f *fixture) {
		f.want("a", "1", 1)
		f.want("a", "1", 0)
		f.set("a", "2")
		f.set("b", "2")
		synctest.Wait()
		if n, _ := f.cache.Held(); n != 0 || f.reads.count() != 1 {
			f.Errorf("after a change, %d bodies are held, after %d requests", n, f.reads.count())
		}
		f.want("a", "2", 1)
		f.want("a", "2", 0)
		opts := f.reads.seen[1]
		if opts.FieldSelector != "metadata.name=a" || opts.ResourceVersion != "4" ||
			opts.ResourceVersionMatch != metav1.ResourceVersionMatchNotOlderThan || opts.Limit != 0 {
			f.Errorf("the request is %+v", opts)
		}
	})
}

func TestNotFoundWithoutRequest(t *testing.T) {
	run(t, 0, func(f *fixture) {
		if _, err := f.cache.Get(f.Context(), keyOf("c")); !apierrors.IsNotFound(err) || f.reads.count() != 0 {
			f.Errorf("%v, after %d requests", err, f.reads.count())
		}
		f.want("a", "1", 1)
		f.server.Delete("ns", "a")
		synctest.Wait()
		if _, err := f.cache.Get(f.Context(), keyOf("a")); !apierrors.IsNotFound(err) || f.reads.count() != 1 {
			f.Errorf("after the deletion: %v, after %d requests", err, f.reads.count())
		}
		if n, left := f.cache.Held(); n != 0 || left != readthrough.DefaultMaxBytes {
			f.Errorf("%d bodies are held, and %d bytes are left", n, left)
		}
	})
}

// Before the first list, nothing is known to be absent, even if the resource is.
func TestGetWaitsForSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, 0)
		f.set("a", "1")
		absent := apierrors.NewNotFound(secrets.GroupResource(), "")
		f.server.Fail(absent, absent, absent, absent, absent)
		f.start()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		_, err := f.cache.Get(ctx, keyOf("a"))
		if err == nil || apierrors.IsNotFound(err) || !strings.Contains(err.Error(), "not found") {
			t.Error(err)
		}
		f.want("a", "1", 1)
	})
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, 0)
		f.set("a", "1")
		var got sync.WaitGroup
		got.Go(func() { f.want("a", "1", 1) })
		synctest.Wait()
		f.start()
		got.Wait()
	})
}

// The least recently read bodies leave first.
func TestLimit(t *testing.T) {
	size := int64(0)
	run(t, 0, func(f *fixture) {
		f.want("a", "1", 1)
		_, left := f.cache.Held()
		size = readthrough.DefaultMaxBytes - left
	})
	run(t, 2*size+size/2, func(f *fixture) {
		f.set("c", "1")
		synctest.Wait()
		f.want("a", "1", 1)
		f.want("b", "1", 1)
		f.want("a", "1", 0)
		f.want("c", "1", 1)
		f.want("a", "1", 0)
		f.want("b", "1", 1)
		f.want("c", "1", 1)
	})
	for _, limit := range []int64{size - 1, -1} { // nothing can be held
		run(t, limit, func(f *fixture) {
			f.want("a", "1", 1)
			f.want("a", "1", 1)
		})
	}
}

// A body that exceeds the limit leaves the others.
func TestBodyAboveLimit(t *testing.T) {
	run(t, 1000, func(f *fixture) {
		f.set("b", strings.Repeat("x", 1000))
		synctest.Wait()
		f.want("a", "1", 1)
		f.want("b", strings.Repeat("x", 1000), 1)
		f.want("a", "1", 0)
	})
}

// lateHandler is an informer whose first handler is called by the test.
type lateHandler struct {
	*informer.Informer[*readthrough.Metadata]
	handler informer.Handler[*readthrough.Metadata]
}

func (i *lateHandler) AddEventHandler(
	h informer.Handler[*readthrough.Metadata], opts ...informer.HandlerOption,
) *informer.Registration {
	i.handler = h
	return i.Informer.AddEventHandler(informer.HandlerFuncs[*readthrough.Metadata]{}, opts...)
}

// An event that is handled late leaves the body of a later state.
func TestLateEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, 0)
		late := &lateHandler{Informer: f.watch}
		f.cache = readthrough.New(late, func(string) source.Source[*secret] { return source.Source[*secret]{ListerWatcher: f.reads} }, 0)
		f.set("a", "1")
		f.start()
		synctest.Wait()
		first, _ := f.watch.Store().Reader().Get(keyOf("a"))
		f.server.Delete("ns", "a")
		f.set("a", "2")
		synctest.Wait()
		f.want("a", "2", 1)
		late.handler.OnUpdate(first, first)
		f.want("a", "2", 0)
		late.handler.OnDelete(informer.Tombstone[*readthrough.Metadata]{Key: keyOf("a"), LastSeen: first, Object: first})
		f.want("a", "2", 0)
		f.set("a", "3")
		synctest.Wait()
		third, _ := f.watch.Store().Reader().Get(keyOf("a"))
		late.handler.OnUpdate(first, third)
		if n, _ := f.cache.Held(); n != 0 {
			t.Errorf("after the event of a later state, %d bodies are held", n)
		}
	})
}

// Callers who read one object at a time share a request, which ends with the last of them.
func TestSharedRequest(t *testing.T) {
	run(t, 0, func(f *fixture) {
		release, dying := make(chan struct{}), make(chan struct{})
		f.reads.reply(func(ctx context.Context, opts metav1.ListOptions, list sourcetest.ListReply[*secret],
			each func(source.Delta[*secret], error) error) (metav1.ListMeta, error) {
			select {
			case <-release:
				return list(ctx, opts, each)
			case <-ctx.Done():
				<-dying
				return metav1.ListMeta{}, ctx.Err()
			}
		})
		why := errors.New("no longer interested")
		first, leave := context.WithCancelCause(f.Context())
		var others sync.WaitGroup
		var left sync.WaitGroup
		left.Go(func() {
			if _, err := f.cache.Get(first, keyOf("a")); !errors.Is(err, why) {
				f.Error(err)
			}
		})
		synctest.Wait()
		for range 3 {
			others.Go(func() {
				if s, err := f.cache.Get(f.Context(), keyOf("a")); err != nil || s.Annotations["value"] != "1" {
					f.Error(s, err)
				}
			})
		}
		synctest.Wait()
		leave(why) // the caller whose context the request began with
		left.Wait()
		close(release)
		others.Wait()
		if f.reads.count() != 1 {
			f.Errorf("%d requests", f.reads.count())
		}

		release = make(chan struct{})
		ctx, leave := context.WithCancelCause(f.Context())
		for range 2 {
			left.Go(func() {
				if _, err := f.cache.Get(ctx, keyOf("b")); !errors.Is(err, why) {
					f.Error(err)
				}
			})
		}
		synctest.Wait()
		leave(why)
		left.Wait()
		f.reads.reply(nil)
		f.want("b", "1", 1) // and does not join the canceled one
		close(dying)
	})
}

// A request that stalls ends, also if no caller has a deadline.
func TestStalledRequest(t *testing.T) {
	run(t, 0, func(f *fixture) {
		f.reads.reply(func(ctx context.Context, _ metav1.ListOptions, _ sourcetest.ListReply[*secret],
			_ func(source.Delta[*secret], error) error) (metav1.ListMeta, error) {
			select {
			case <-ctx.Done():
				return metav1.ListMeta{}, ctx.Err()
			case <-time.After(time.Hour):
				return metav1.ListMeta{}, errors.New("it never ends")
			}
		})
		began := time.Now()
		_, err := f.cache.Get(f.Context(), keyOf("a"))
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Minute {
			f.Errorf("%v, after %v", err, time.Since(began))
		}
		f.reads.reply(nil)
		f.want("a", "1", 1)
	})
}

// An object that is deleted during a request is not held.
func TestDeletedDuringRequest(t *testing.T) {
	run(t, 0, func(f *fixture) {
		f.reads.reply(func(ctx context.Context, opts metav1.ListOptions, list sourcetest.ListReply[*secret],
			each func(source.Delta[*secret], error) error) (metav1.ListMeta, error) {
			meta, err := list(ctx, opts, each)
			f.server.Delete("ns", "a")
			synctest.Wait()
			return meta, err
		})
		f.want("a", "1", 1)
		if n, _ := f.cache.Held(); n != 0 {
			f.Errorf("%d bodies are held", n)
		}
	})
}

// Errors of the server are the caller's. Nothing is held, and the next Get asks again.
func TestErrors(t *testing.T) {
	gr := secrets.GroupResource()
	for name, test := range map[string]struct {
		err      error
		is       func(error) bool
		requests int
	}{
		"forbidden": {runtimetest.Forbidden("list", gr), func(err error) bool {
			return apierrors.IsForbidden(err) && strings.Contains(err.Error(), "grant the verb list")
		}, 1},
		"429":       {runtimetest.TooManyRequests(1), apierrors.IsTooManyRequests, 1},
		"500":       {apierrors.NewInternalError(errors.New("x")), apierrors.IsInternalError, 1},
		"too large": {runtimetest.TooLarge(), apierrors.IsTimeout, 2},
		"404": {apierrors.NewNotFound(gr, ""), func(err error) bool {
			return !apierrors.IsNotFound(err) && strings.Contains(err.Error(), "not found")
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, 0, func(f *fixture) {
				f.reads.fail(test.err)
				_, err := f.cache.Get(f.Context(), keyOf("a"))
				if err == nil || !test.is(err) || !strings.Contains(err.Error(), "secrets ns/a") {
					t.Error(err)
				}
				if n := f.reads.count(); n != test.requests {
					t.Errorf("%d requests; want %d", n, test.requests)
				}
				f.reads.reply(nil)
				f.want("a", "1", 1)
			})
		})
	}
	t.Run("not decoded", func(t *testing.T) {
		run(t, 0, func(f *fixture) {
			broken := errors.New("broken")
			f.reads.reply(func(_ context.Context, _ metav1.ListOptions, _ sourcetest.ListReply[*secret],
				each func(source.Delta[*secret], error) error) (metav1.ListMeta, error) {
				other := sourcetest.Undecodable[*secret]("ns", "b", errors.New("of another"))
				own := sourcetest.Undecodable[*secret]("ns", "a", broken)
				return metav1.ListMeta{}, errors.Join(each(other.Delta, other.Err), each(own.Delta, own.Err))
			})
			if _, err := f.cache.Get(f.Context(), keyOf("a")); !errors.Is(err, broken) {
				t.Error(err)
			}
		})
	})
}

// A server that lags behind the watch answers 504. The second request has no version.
func TestLaggingServer(t *testing.T) {
	run(t, 0, func(f *fixture) {
		f.reads.reply(func(ctx context.Context, opts metav1.ListOptions, list sourcetest.ListReply[*secret],
			each func(source.Delta[*secret], error) error) (metav1.ListMeta, error) {
			if opts.ResourceVersion != "" {
				return metav1.ListMeta{}, runtimetest.TooLarge()
			}
			return list(ctx, opts, each)
		})
		f.want("a", "1", 2)
		if opts := f.reads.seen[1]; opts.ResourceVersionMatch != "" {
			f.Errorf("the second request is %+v", opts)
		}
	})
}

// If the server is ahead of the watch, Get waits for the watch.
func TestServerAheadOfWatch(t *testing.T) {
	for name, test := range map[string]struct {
		change func(f *fixture)
		check  func(*secret, error) bool
	}{
		"deleted": {
			func(f *fixture) { f.server.Delete("ns", "a") },
			func(_ *secret, err error) bool { return apierrors.IsNotFound(err) },
		},
		"created again": {
			func(f *fixture) { f.server.Delete("ns", "a"); f.set("a", "2") },
			func(s *secret, err error) bool { return err == nil && s.Annotations["value"] == "2" },
		},
	} {
		t.Run(name, func(t *testing.T) {
			run(t, 0, func(f *fixture) {
				began := time.Now()
				f.stop() // the watch delivers nothing
				test.change(f)
				_, err := f.cache.Get(f.Context(), keyOf("a"))
				if err == nil || apierrors.IsNotFound(err) || time.Since(began) != 10*time.Second || f.reads.count() != 1 ||
					!strings.Contains(err.Error(), "reading secrets ns/a: ") ||
					!strings.Contains(err.Error(), "it changed on the server after resourceVersion 2,") {
					t.Errorf("%v, after %v", err, time.Since(began))
				}
				var got sync.WaitGroup
				got.Go(func() {
					if s, err := f.cache.Get(f.Context(), keyOf("a")); !test.check(s, err) {
						t.Error(s, err)
					}
				})
				synctest.Wait()
				f.start()
				got.Wait()
			})
		})
	}
}

// After a restore from a backup, the same version may be another state.
func TestRestoredServer(t *testing.T) {
	run(t, 0, func(f *fixture) {
		f.set("b", "lost") // version 4
		f.set("c", "lost") // version 5
		synctest.Wait()
		f.want("b", "lost", 1)
		f.server.Rewind(3)
		f.set("b", "restored") // version 4
		time.Sleep(time.Minute)
		f.want("b", "restored", 1)
		f.want("b", "restored", 0)
	})
}

// Objects of fake clients have no versions. Every Get is a request then, because nothing says that a body is
// current.
func TestWithoutVersions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, 0)
		s := newSecret("a", "1")
		script := new(sourcetest.Script[*secret]).Lists(sourcetest.Objects("", s))
		script.NoWatchList = true
		f.watch = informer.New(secrets, source.Map(script.Source(), metadataOf),
			store.ForObjects[*readthrough.Metadata]())
		f.cache = readthrough.New(f.watch, func(string) source.Source[*secret] { return source.Source[*secret]{ListerWatcher: f.reads} }, 0)
		f.reads.reply(func(_ context.Context, opts metav1.ListOptions, _ sourcetest.ListReply[*secret],
			each func(source.Delta[*secret], error) error) (metav1.ListMeta, error) {
			if opts.ResourceVersionMatch != "" {
				t.Errorf("the request is %+v", opts)
			}
			return metav1.ListMeta{}, errors.Join(each(source.DeltaOf(delta.Replaced, newSecret("b", "1"))),
				each(source.DeltaOf(delta.Replaced, s)))
		})
		f.start()
		f.want("a", "1", 1)
		f.want("a", "1", 1)
	})
}
