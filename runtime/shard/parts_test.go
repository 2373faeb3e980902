// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package shard_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Each object is in one range of one part, whether or not the source has parts of its own.
func TestEachRangeOfEachPart(t *testing.T) {
	needFields(t)
	srv := runtimetest.NewServer[*object]()
	for i := range 30 {
		o := named(fmt.Sprint("w", i), "", "")
		o.Namespace = fmt.Sprint("ns-", i%3)
		srv.Set(o)
	}
	namespaces := source.NewNamespaces("ns-0", "ns-1")
	for _, test := range []struct {
		src            source.Source[*object]
		parts, objects int
	}{
		{srv.Source(), 3, 30},
		{source.ForEach(namespaces, srv.In), 6, 20},
	} {
		shards := shard.NewSet(of(t, 0, 3), of(t, 1, 3), of(t, 2, 3))
		parts := shard.Source(test.src, shards).Parts()
		sources := parts.Sources()
		if len(sources) != test.parts || !parts.Handover {
			t.Errorf("%d parts, want %d; handover: %v", len(sources), test.parts, parts.Handover)
		}
		seen := map[string]int{}
		for name, src := range sources {
			if _, err := src.List(t.Context(), metav1.ListOptions{}, func(d source.Delta[*object], err error) error {
				seen[d.Object.Name]++
				return err
			}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if len(seen) != test.objects {
			t.Errorf("%d objects in %d parts, want %d", len(seen), test.parts, test.objects)
		}
		for name, n := range seen {
			if n != 1 {
				t.Errorf("%s is in %d parts", name, n)
			}
		}
		changes := 0
		stop := parts.Follow(func(context.Context) error { changes++; return nil })
		change := func() {
			for _, err := range []error{shards.Replace(t.Context(), of(t, 0, 3)), namespaces.Replace(t.Context(), "ns-0", "ns-1")} {
				if err != nil {
					t.Error(err)
				}
			}
		}
		change()
		stop()
		if changes != test.parts/3 { // the namespaces count if there are some
			t.Errorf("%d changes of %d parts", changes, test.parts)
		}
		change()
		if changes != test.parts/3 || len(parts.Sources()) != test.parts/3 {
			t.Errorf("%d changes, the last after the end; %d parts", changes, len(parts.Sources()))
		}
	}
}
