// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package shard_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sharding"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// uids returns two UIDs, the first of which belongs to r.
func uids(r shard.Range) (in, out types.UID) {
	for i := 0; in == "" || out == ""; i++ {
		uid := types.UID(fmt.Sprint(i, "-uid"))
		if r.Contains(&object{ObjectMeta: metav1.ObjectMeta{UID: uid}}) {
			in = uid
		} else {
			out = uid
		}
	}
	return in, out
}

func named(name, rv string, uid types.UID) *object {
	return &object{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, UID: uid, ResourceVersion: rv}}
}

// log returns the events of a watch: "A a@2" for an object, "-b@3" for one that is left out, "?c@4" for
// one that cannot be decoded.
func log(ctx context.Context, src source.Source[*object], opts metav1.ListOptions) string {
	var all []string
	err := src.Watch(ctx, opts, func(d source.Delta[*object], version string, err error) error {
		text := d.Type.String()[:1]
		switch {
		case d.Type == delta.Dropped:
			text = "-" + d.Key.Name
		case err != nil && d.Type == delta.Deleted:
			text += " ?" + d.Key.Name
		case err != nil:
			text = "?" + d.Key.Name
		case !d.NoObject:
			text += " " + d.Object.Name
		case d.Type == delta.Deleted:
			text += " -" + d.Key.Name
		}
		all = append(all, text+"@"+version)
		return nil
	})
	if err != nil {
		all = append(all, "error@")
	}
	return strings.Join(all, ", ")
}

var errBad = errors.New("bad")

// undecodable is an event about an object of which only the name is known.
func undecodable(t delta.Type, name, rv string) sourcetest.Step[*object] {
	item := sourcetest.Undecodable[*object]("ns", name, errBad)
	if t == delta.Deleted {
		item.Type = t
	}
	return sourcetest.Send(item, rv)
}

// TestWatchLeavesOut is about servers that send what belongs to other shards.
func TestWatchLeavesOut(t *testing.T) {
	needFields(t)
	r := of(t, 1, 3)
	in, out := uids(r)
	streaming := metav1.ListOptions{SendInitialEvents: new(true), AllowWatchBookmarks: true}
	for _, test := range []struct {
		name  string
		opts  metav1.ListOptions
		steps []sourcetest.Step[*object]
		want  string
	}{
		{
			"objects of another shard", metav1.ListOptions{ResourceVersion: "1"},
			[]sourcetest.Step[*object]{
				sourcetest.Added(named("a", "2", in)), sourcetest.Added(named("b", "3", out)), sourcetest.Modified(named("b", "4", out)),
				sourcetest.Deleted(named("a", "5", in)), sourcetest.Deleted(named("b", "6", out)), sourcetest.Bookmark[*object]("7"),
			},
			"A a@2, -b@3, -b@4, D a@5, D -b@6, B@7",
		},
		{
			"initial events", streaming,
			[]sourcetest.Step[*object]{
				sourcetest.Added(named("b", "9", out)), sourcetest.Added(named("a", "2", in)),
				sourcetest.InitialEventsEnd[*object]("9"), sourcetest.Modified(named("b", "10", out)),
			},
			"-b@9, A a@2, I@9, -b@10",
		},
		{
			"objects without a version", metav1.ListOptions{ResourceVersion: "1"},
			[]sourcetest.Step[*object]{sourcetest.Added(named("b", "", out)), sourcetest.Added(named("a", "", in))},
			"-b@, A a@",
		},
		{
			"an undecodable object of another shard", metav1.ListOptions{ResourceVersion: "1"},
			[]sourcetest.Step[*object]{
				undecodable(delta.Added, "b", "2"), sourcetest.Modified(named("b", "3", out)), undecodable(delta.Deleted, "b", "4"),
			},
			"?b@2, -b@3, D ?b@4",
		},
		{
			"an object that moves to another shard", metav1.ListOptions{ResourceVersion: "1"},
			[]sourcetest.Step[*object]{
				undecodable(delta.Updated, "a", "2"), sourcetest.Modified(named("a", "3", in)), sourcetest.Deleted(named("a", "4", in)),
				sourcetest.Added(named("a", "5", out)),
			},
			"?a@2, U a@3, D a@4, -a@5",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			script := (&sourcetest.Script[*object]{}).Watches(sourcetest.Stream(test.steps...))
			if got := log(t.Context(), shard.Only(script.Source(), r), test.opts); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if asked := sharding.Selector(script.Requests()[0].Options); asked != r.Selector() {
				t.Errorf("asked for %q", asked)
			}
		})
	}
}

func TestListLeavesOut(t *testing.T) {
	needFields(t)
	r := of(t, 0, 2)
	in, out := uids(r)
	script := (&sourcetest.Script[*object]{}).Lists(
		func(_ context.Context, _ metav1.ListOptions, each func(source.Delta[*object], error) error) (metav1.ListMeta, error) {
			for _, item := range append(sourcetest.Items(named("a", "1", in), named("b", "2", out), nil), sourcetest.Undecodable[*object]("ns", "c", errBad)) {
				if err := each(item.Delta, item.Err); err != nil {
					return metav1.ListMeta{}, err
				}
			}
			return metav1.ListMeta{ResourceVersion: "2"}, nil
		},
		sourcetest.ListError[*object](errBad),
	)
	src := shard.Only(script.Source(), r)
	var names string
	meta, err := src.List(t.Context(), metav1.ListOptions{}, func(item source.Delta[*object], err error) error {
		if item.Type == delta.Dropped {
			names += "-" + item.Key.Name
			return nil
		}
		if err != nil {
			names += "?"
			return nil
		}
		names += item.Object.Name
		return nil
	})
	if names != "a-b??" || err != nil {
		t.Errorf("got %q, %v", names, err)
	}
	if meta.ResourceVersion != "2" {
		t.Errorf("got %+v", meta)
	}
	if _, err := src.List(t.Context(), metav1.ListOptions{}, nil); !errors.Is(err, errBad) {
		t.Errorf("got %v", err)
	}
}

// TestServersThatDivide has a server that knows shards send each its own, and nothing
// twice.
func TestServersThatDivide(t *testing.T) {
	needFields(t)
	for _, knows := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			srv := runtimetest.NewServer[*object]()
			srv.NoShards = !knows
			for i := range 50 {
				srv.Set(named(fmt.Sprint("w", i), "", ""))
			}
			seen := map[string]int{}
			left := 0
			for i := range 3 {
				src := shard.Only(srv.Source(), of(t, i, 3))
				if _, err := src.List(t.Context(), metav1.ListOptions{}, func(item source.Delta[*object], err error) error {
					if item.Object == nil {
						left++
						return nil
					}
					seen[item.Object.Name]++
					return nil
				}); err != nil {
					t.Fatal(err)
				}
				watching, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				_ = src.Watch(watching, metav1.ListOptions{SendInitialEvents: new(true), AllowWatchBookmarks: true},
					func(d source.Delta[*object], _ string, _ error) error {
						switch {
						case d.Object != nil:
							seen[d.Object.Name]++
						case d.Type == delta.Dropped:
							left++
						}
						return nil
					})
			}
			if len(seen) != 50 {
				t.Errorf("%d objects were seen", len(seen))
			}
			for name, n := range seen {
				if n != 2 {
					t.Errorf("%s was seen %d times, want once by a list and once by a watch", name, n)
				}
			}
			if want := map[bool]int{true: 0, false: 200}[knows]; left != want {
				t.Errorf("%d objects were left out here, want %d", left, want)
			}
		})
	}
}
