// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// misplacing is a source that passes, as long as wrong is set, object "other" or nil with the keys of these names.
type misplacing struct {
	source.ListerWatcher[*object]
	wrong bool
}

func (m *misplacing) change(d source.Delta[*object]) source.Delta[*object] {
	switch {
	case !m.wrong || d.NoObject:
	case d.Object.Name == "other":
		d.Object = widget("another")
	case d.Object.Name == "nil":
		d.Object = nil
	}
	return d
}

func (m *misplacing) List(
	ctx context.Context, opts metav1.ListOptions, each func(source.Delta[*object], error) error,
) (metav1.ListMeta, error) {
	return m.ListerWatcher.List(ctx, opts, func(d source.Delta[*object], err error) error { return each(m.change(d), err) })
}

func (m *misplacing) Watch(
	ctx context.Context, opts metav1.ListOptions, each func(source.Delta[*object], string, error) error,
) error {
	return m.ListerWatcher.Watch(ctx, opts, func(d source.Delta[*object], version string, err error) error {
		return each(m.change(d), version, err)
	})
}

// An object whose key is not that of its delta does not reach the store. The store keeps the last state of the key, and
// the error handler is called.
func TestObjectsOfAnotherKey(t *testing.T) {
	for _, noWatchList := range []bool{true, false} {
		for name, objects := range map[string]*store.Store[types.NamespacedName, *object]{
			"ForObjects": store.ForObjects[*object](), "New": store.New(store.KeyOf[*object]),
		} {
			synctest.Test(t, func(t *testing.T) {
				srv := runtimetest.NewServer[*object]()
				names := []string{"a", "nil", "other"}
				for _, name := range names {
					srv.Set(widget(name))
				}
				src := srv.Source()
				wrong := &misplacing{ListerWatcher: src.ListerWatcher, wrong: true}
				src.ListerWatcher, src.NoWatchList, src.Reuse = wrong, noWatchList, nil
				var failed []string
				inf := informer.New(widgets, src, objects, informer.WithErrorHandler(func(err error) {
					var decode *reflector.Error
					if errors.As(err, &decode) && decode.Op == reflector.OpDecode {
						failed = append(failed, decode.Key.Name)
					}
				}))
				r := &recorder{}
				inf.AddEventHandler(r)
				start(t, inf)
				step := func(what, calls string, errs ...string) {
					t.Helper()
					expect(t, r, calls)
					if slices.Sort(failed); !slices.Equal(failed, errs) {
						t.Errorf("%s, %s: the errors are of %v, want %v", name, what, failed, errs)
					}
					failed = nil
				}
				step("the first list", "+a*", "nil", "other")
				wrong.wrong = false
				for _, name := range names[1:] {
					srv.Set(widget(name))
				}
				step("right events", "+nil +other")
				wrong.wrong = true
				for _, name := range names {
					srv.Set(widget(name))
				}
				step("wrong events", "~a", "nil", "other")
				srv.CutWatches(nil)
				srv.Set(widget("a"))
				srv.Compact()
				time.Sleep(time.Minute)
				step("the second list", "~a", "nil", "other")
				reader := inf.Store().Reader()
				if reader.StaleLen() != 2 || reader.Len() != 3 {
					t.Errorf("%s: %d objects, %d stale", name, reader.Len(), reader.StaleLen())
				}
				for _, name := range names[1:] {
					srv.Delete("ns", name)
				}
				step("deletions", "-nil? -other?", "nil", "other")
				if err := inf.LastError(); !strings.Contains(err.Error(), "the source has object ns/another under the key ns/other") {
					t.Error(err)
				}
			})
		}
	}
}
