// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package reflector_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	st "github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"k8s.io/apimachinery/pkg/types"
)

// typeSink records the types of the deltas that it gets.
type typeSink map[delta.Type]bool

func (s typeSink) Push(_ context.Context, d source.Delta[*object], _ string) error {
	s[d.Type] = true
	return nil
}

func (s typeSink) Replace(_ context.Context, list delta.Batch[types.NamespacedName, *object]) error {
	for _, d := range list.Deltas {
		s[d.Type] = true
	}
	return nil
}

func (typeSink) Bookmark(string) error { return nil }

// itemOf returns an item of type typ.
func itemOf(typ delta.Type) st.Item[*object] {
	switch typ {
	case delta.NoKey, delta.Bookmark, delta.InitialEnd, 0:
		return st.Item[*object]{Delta: delta.Bare[types.NamespacedName, *object](typ)}
	case delta.Stale, delta.Kept, delta.Dropped:
		return without(typ, "b")
	}
	return st.Of(typ, obj("b", "6"))
}

// A list, a watch and the initial events of a WatchList accept the types of the table in package delta, and
// the sink gets those of its column, all of them and no others.
func TestTypesOfDeltas(t *testing.T) {
	got := typeSink{}
	for typ := range delta.InitialEnd + 2 {
		for name, place := range map[string]delta.Place{"list": delta.List, "watch": delta.Watch, "initial events": delta.Watch} {
			synctest.Test(t, func(t *testing.T) {
				src := &st.Script[*object]{NoWatchList: name != "initial events"}
				switch steps := st.Stream(st.Send(itemOf(typ), "6"), hang); name {
				case "list":
					src.Lists(st.Page("5", "", itemOf(typ)))
				case "watch":
					src.Lists(st.Objects[*object]("5")).Watches(steps)
				default:
					src.Watches(steps)
				}
				refused := false
				run(t, src, got, options{OnEvent: func(e reflector.Event) {
					refused = refused || e.Err != nil && strings.Contains(e.Err.Error(), "a delta of type "+typ.String())
				}}, time.Second)
				if refused == typ.In(place) {
					t.Errorf("%s: a delta of type %v is refused: %v", name, typ, refused)
				}
			})
		}
	}
	for typ := range delta.InitialEnd + 2 {
		if got[typ] != typ.In(delta.Sink) {
			t.Errorf("the sink got a delta of type %v: %v", typ, got[typ])
		}
	}
}

// The error beside a delta that cannot be accepted is not lost.
func TestErrorWithoutADelta(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		odd := errors.New("odd")
		src := (&st.Script[*object]{NoWatchList: true}).Lists(st.Page("5", "", st.Item[*object]{Err: odd}))
		found := false
		run(t, src, typeSink{}, options{OnEvent: func(e reflector.Event) { found = found || errors.Is(e.Err, odd) }}, time.Second)
		if !found {
			t.Error("the error of the source is not reported")
		}
	})
}
