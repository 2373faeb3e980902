// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package reflector

import (
	"context"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

type thing struct{ metav1.ObjectMeta }

// repeating is a source that has one object, made anew for each list, at each of
// versions in turn. Its watches have expired.
type repeating struct{ versions []string }

func (a *repeating) next() (*thing, string) {
	version := a.versions[0]
	if len(a.versions) > 1 {
		a.versions = a.versions[1:]
	}
	return &thing{metav1.ObjectMeta{Name: "a", UID: "u", ResourceVersion: "3"}}, version
}

func (a *repeating) List(_ context.Context, _ metav1.ListOptions, each func(source.Delta[*thing], error) error) (metav1.ListMeta, error) {
	obj, version := a.next()
	return metav1.ListMeta{ResourceVersion: version}, each(source.DeltaOf(delta.Replaced, obj))
}

func (a *repeating) Watch(
	_ context.Context, opts metav1.ListOptions, each func(source.Delta[*thing], string, error) error,
) error {
	if opts.SendInitialEvents != nil {
		obj, version := a.next()
		d, err := source.DeltaOf(delta.Added, obj)
		if err := each(d, "", err); err != nil {
			return err
		}
		if err := each(delta.Bare[types.NamespacedName, *thing](delta.InitialEnd), version, nil); err != nil {
			return err
		}
	}
	return apierrors.NewResourceExpired("too old")
}

// held is a sink that keeps the objects of the lists, and ends with the fourth.
type held struct {
	lists   []*thing
	rewound []bool
	enough  context.CancelFunc
}

func (*held) Push(context.Context, delta.Delta[types.NamespacedName, *thing], string) error {
	return nil
}

func (*held) Bookmark(string) error { return nil }

func (h *held) Replace(_ context.Context, r delta.Batch[types.NamespacedName, *thing]) error {
	for _, d := range r.Deltas {
		h.lists, h.rewound = append(h.lists, d.Object), append(h.rewound, r.Rewound)
	}
	if len(h.lists) == 4 {
		h.enough()
	}
	return nil
}

func TestWhatIsEqualIsNotHeldTwice(t *testing.T) {
	for _, watchList := range []bool{false, true} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		sink := &held{enough: cancel}
		src := &repeating{versions: []string{"10", "11", "5", "6"}}
		New(source.Source[*thing]{ListerWatcher: src}, sink, Options[*thing]{
			Settings: Settings{NoWatchList: !watchList, Backoff: Backoff{Initial: time.Millisecond, Max: time.Millisecond}},
			Known: func(key types.NamespacedName) (*thing, bool) {
				if len(sink.lists) == 0 {
					return nil, false
				}
				cached := sink.lists[len(sink.lists)-1]
				if len(sink.lists) == 3 {
					cached.Labels = map[string]string{"written": "by somebody"}
				}
				return cached, key.Name == "a"
			},
		}).Run(ctx)
		if len(sink.lists) != 4 {
			t.Fatalf("WatchList %v: %d lists, %v", watchList, len(sink.lists), ctx.Err())
		}
		first, same, back, repaired := sink.lists[0], sink.lists[1], sink.lists[2], sink.lists[3]
		if same != first || back != first {
			t.Errorf("WatchList %v: %p, equal to %p, then to %p", watchList, first, same, back)
		}
		if repaired == first || repaired.Labels != nil {
			t.Errorf("WatchList %v: what was written to the cache is still there: %v", watchList, repaired.Labels)
		}
		if !sink.rewound[2] || sink.rewound[3] {
			t.Errorf("WatchList %v: rewound %v", watchList, sink.rewound)
		}
	}
}

// A reflector that knows a cache lets the source reuse its objects.
func TestSourceMayReuseKnownObjects(t *testing.T) {
	known := func(types.NamespacedName) (*thing, bool) { return nil, false }
	for want, o := range []Options[*thing]{{}, {Known: known}} {
		calls := 0
		src := source.Source[*thing]{ListerWatcher: &repeating{}}
		src.Reuse = func(func(types.NamespacedName) (*thing, bool)) source.ListerWatcher[*thing] {
			calls++
			return src
		}
		New(src, nil, o)
		if calls != want {
			t.Errorf("Known %v: %d calls of Reuse, want %d", o.Known != nil, calls, want)
		}
	}
}
