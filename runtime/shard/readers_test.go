// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package shard_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

var widgets = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}

// damaged is a server that sends the spoilt states of objects such that they cannot be
// decoded.
type damaged struct{ source.ListerWatcher[*object] }

func (d damaged) spoil(from source.Delta[*object], err error) (source.Delta[*object], error) {
	if from.Object == nil || from.Object.Labels["spoilt"] == "" {
		return from, err
	}
	return source.Unusable[*object](from.Type, from.Key), errors.New("spoilt")
}

func (d damaged) List(
	ctx context.Context, opts metav1.ListOptions, each func(source.Delta[*object], error) error,
) (metav1.ListMeta, error) {
	return d.ListerWatcher.List(ctx, opts, func(from source.Delta[*object], err error) error {
		return each(d.spoil(from, err))
	})
}

func (d damaged) Watch(
	ctx context.Context, opts metav1.ListOptions, each sourcetest.Sender[*object],
) error {
	return d.ListerWatcher.Watch(ctx, opts, func(from source.Delta[*object], version string, err error) error {
		spoilt, err := d.spoil(from, err)
		return each(spoilt, version, err)
	})
}

// Pages of one object are not taken for questions, and questions not for pages.
func TestPagesOfOneObject(t *testing.T) {
	needFields(t)
	for _, divides := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			r := of(t, 1, 3)
			in, out := uids(r)
			srv := runtimetest.NewServer[*object]()
			srv.NoShards = !divides
			var want []string
			for i := range 30 {
				o := named(fmt.Sprint("w", i), "", "")
				srv.Set(o)
				if r.Contains(o) {
					want = append(want, o.Name)
				}
			}
			slices.Sort(want)
			bad := named("bad", "", in)
			bad.Labels = map[string]string{"spoilt": "yes"}
			srv.Set(bad)
			inf := informer.New(widgets, shard.Only(source.Source[*object]{ListerWatcher: damaged{srv}}, r), store.ForObjects[*object](),
				informer.WithReflector(reflector.Settings{NoWatchList: true, PageSize: 1}))
			ctx, cancel := context.WithCancel(t.Context())
			go inf.Run(ctx)
			if err := inf.WaitForSync(t.Context()); err != nil {
				t.Fatal(err)
			}
			has := func(when string) {
				t.Helper()
				var got []string
				for o := range inf.Store().Reader().All() {
					got = append(got, o.Name)
				}
				if slices.Sort(got); strings.Join(got, " ") != strings.Join(want, " ") {
					t.Errorf("divides %v, %s: the store has %v, want %v", divides, when, got, want)
				}
			}
			has("listed")
			srv.CutWatches(errors.New("cut")) // it asks whether the server has gone back
			synctest.Wait()
			srv.Set(named("bad", "", out))
			if err := inf.WaitFor(t.Context(), srv.Set(named("last", "", in))); err != nil {
				t.Fatal(err)
			}
			want = append(want, "last")
			slices.Sort(want)
			has("after a cut")
			srv.Compact()
			srv.CutWatches(nil)
			if err := inf.WaitFor(t.Context(), srv.Set(named("more", "", in))); err != nil {
				t.Fatal(err)
			}
			want = append(want, "more")
			slices.Sort(want)
			has("listed again")
			cancel()
			synctest.Wait()
		})
	}
}
