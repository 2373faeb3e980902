// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"io"
	"iter"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// odd is an error of which the methods named in it panic.
type odd string

func (o odd) panics(method string) {
	if strings.Contains(string(o), method) {
		panic(o)
	}
}

func (o odd) Error() string { o.panics("Error"); return "odd " + string(o) }
func (o odd) Is(error) bool { o.panics("Is"); return false }
func (o odd) As(any) bool   { o.panics("As"); return false }
func (o odd) Unwrap() error { o.panics("Unwrap"); return nil }

// oddErrors are errors that cannot be asked what they are.
func oddErrors() map[string]error {
	return map[string]error{
		"a nil *url.Error": (*url.Error)(nil), "a nil *errors.StatusError": (*apierrors.StatusError)(nil),
		"odd Is": odd("Is"), "odd As": odd("As"), "odd Unwrap": odd("Unwrap"), "cannot be printed": odd("Error"),
	}
}

// spoiled is a source of which the first request fails, and the object "bad" is an error.
type spoiled struct {
	*runtimetest.Server[*object]

	err, item error
}

func (s *spoiled) fail() (err error) {
	err, s.err = s.err, nil
	return err
}

func (s *spoiled) spoil(item *source.Item[*object]) {
	if s.item != nil && item.Err == nil && item.Object != nil && item.Object.Name == "bad" {
		key := keyOf(item.Object)
		*item = source.Item[*object]{Key: &key, Err: s.item}
	}
}

func (s *spoiled) List(ctx context.Context, opts metav1.ListOptions, each func(source.Item[*object]) error) (metav1.ListMeta, error) {
	if err := s.fail(); err != nil {
		return metav1.ListMeta{}, err
	}
	return s.Server.List(ctx, opts, func(item source.Item[*object]) error {
		s.spoil(&item)
		return each(item)
	})
}

func (s *spoiled) Watch(ctx context.Context, opts metav1.ListOptions) iter.Seq2[source.Event[*object], error] {
	return func(yield func(source.Event[*object], error) bool) {
		if err := s.fail(); err != nil {
			yield(source.Event[*object]{}, err)
			return
		}
		for event, err := range s.Server.Watch(ctx, opts) {
			s.spoil(&event.Item)
			if !yield(event, err) {
				return
			}
		}
	}
}

// An error of which a method panics is told as any other, wherever it comes from, and those
// who are told may ask it what it is.
func TestErrorsThatCannotBeAsked(t *testing.T) {
	for text, bad := range oddErrors() {
		for from, test := range map[string]struct {
			src     spoiled
			opts    []informer.Option
			handler func(*object)
			want    string // the objects that the store has
		}{
			"handler":   {handler: func(*object) { panic(bad) }, want: "a bad"},
			"item":      {src: spoiled{item: bad}, want: "a"},
			"request":   {src: spoiled{err: bad}, want: "a bad"},
			"no stream": {src: spoiled{err: bad}, opts: []informer.Option{informer.WithWatchList(false)}, want: "a bad"},
			"transform": {opts: []informer.Option{informer.WithTransform(func(o *object) (*object, error) { return o, nilFor(o, bad) })}, want: "a"},
			"transform panics": {opts: []informer.Option{informer.WithTransform(func(o *object) (*object, error) {
				if err := nilFor(o, bad); err != nil {
					panic(err)
				}
				return o, nil
			})}, want: "a"},
		} {
			t.Run(from+"/"+text, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					test.src.Server = runtimetest.NewServer[*object]()
					test.src.Set(widget("a"))
					test.src.Set(widget("bad"))
					var told []string
					s := store.ForObjects[*object]()
					inf := informer.New(widgets, &test.src, s, append(test.opts,
						informer.WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil))),
						informer.WithErrorHandler(func(err error) {
							_ = errors.Is(err, context.Canceled) || apierrors.IsNotFound(err)
							told = append(told, err.Error())
						}))...)
					inf.AddHandler(informer.HandlerFuncs[*object]{AddFunc: func(o *object, _ bool) {
						if test.handler != nil && o.Name == "bad" {
							test.handler(o)
						}
					}})
					start(t, inf)
					time.Sleep(time.Hour)
					synctest.Wait()
					if got := strings.ReplaceAll(strings.Join(held(inf), " "), "ns/", ""); got != test.want {
						t.Errorf("the store has %s", got)
					}
					if len(told) != 1 || !strings.Contains(told[0], text) {
						t.Errorf("told %q", told)
					}
					if inf.LastError() == nil || inf.LastError().Error() == "" {
						t.Error("no last error")
					}
					_ = inf.Stats()
				})
			})
		}
	}
}

// nilFor returns err for the object that is bad.
func nilFor(o *object, err error) error {
	if o.Name == "bad" {
		return err
	}
	return nil
}

// The cause of a context is foreign too.
func TestCauseThatCannotBeAsked(t *testing.T) {
	for text, bad := range oddErrors() {
		t.Run(text, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				inf := newInformer(forbidden())
				start(t, inf)
				time.Sleep(time.Minute)
				ctx, cancel := context.WithCancelCause(t.Context())
				cancel(bad)
				if got := inf.WaitForSync(ctx).Error(); !strings.Contains(got, "forbidden") {
					t.Error(got)
				}
				f := informer.NewFactory()
				informer.Once(f, func() *informer.Informer[*object] { return newInformer(forbidden()) })()
				f.Start(t.Context())
				f.Shutdown()
				if f.WaitForSync(ctx) == nil {
					t.Error("an informer that was shut down has synced")
				}
			})
		})
	}
}
