// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package written_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/written"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type object = metav1.PartialObjectMetadata

func obj(name, uid, resourceVersion string) *object {
	return &object{
		ObjectMeta: metav1.ObjectMeta{
			Namespace:       "ns",
			Name:            name,
			UID:             types.UID(uid),
			ResourceVersion: resourceVersion,
		},
	}
}

func key(name string) types.NamespacedName { return types.NamespacedName{Namespace: "ns", Name: name} }

type cache = store.Store[types.NamespacedName, *object]

// see adds objects to the cache and moves it to a version.
func see(t *testing.T, s *cache, resourceVersion string, objs ...*object) {
	t.Helper()
	var b store.Batch[types.NamespacedName, *object]
	for _, o := range objs {
		b.Set(o)
	}
	b.ResourceVersion(resourceVersion)
	if _, err := s.Apply(&b); err != nil {
		t.Fatal(err)
	}
}

func lose(t *testing.T, s *cache, resourceVersion, name string) {
	t.Helper()
	var b store.Batch[types.NamespacedName, *object]
	b.Delete(key(name))
	b.ResourceVersion(resourceVersion)
	if _, err := s.Apply(&b); err != nil {
		t.Fatal(err)
	}
}

// waiting is a running wait.
type waiting chan error

func begin(ctx context.Context, wait func(context.Context) error) waiting {
	w := make(waiting, 1)
	go func() { w <- wait(ctx) }()
	synctest.Wait()
	return w
}

func (w waiting) isOver(t *testing.T, when string, want bool) {
	t.Helper()
	synctest.Wait()
	select {
	case err := <-w:
		if err != nil {
			t.Errorf("%s: the wait failed: %v", when, err)
		}
		if !want {
			t.Errorf("%s: the wait is over", when)
		}
	default:
		if want {
			t.Errorf("%s: it still waits", when)
		}
	}
}

func note(t *testing.T, w *written.Writes[*object], o *object) {
	t.Helper()
	if got, err := w.Note(o, nil); got != o || err != nil {
		t.Fatalf("Note returned %v, %v", got, err)
	}
}

// client-go's fake clients return objects without versions. A wait then waits for the object's
// creation or deletion.
func TestWithoutVersions(t *testing.T) {
	for name, uids := range map[string][2]string{"without UIDs": {"", ""}, "with UIDs": {"u1", "u2"}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := store.ForObjects[*object]()
				see(t, s, "")
				w := written.New(s.Reader())
				note(t, w, obj("a", uids[0], ""))
				if n := w.Pending(); n != 1 {
					t.Errorf("%d pending", n)
				}
				created := begin(t.Context(), w.Wait)
				see(t, s, "", obj("b", "u", ""))
				created.isOver(t, "when another is there", false)
				see(t, s, "", obj("a", uids[0], ""))
				created.isOver(t, "when it is there", true)
				if n := w.Pending(); n != 0 {
					t.Errorf("%d pending", n)
				}

				if err := w.NoteDelete(obj("a", uids[0], ""), nil); err != nil {
					t.Fatal(err)
				}
				deleted := begin(t.Context(), w.Wait)
				deleted.isOver(t, "before it is deleted", false)
				lose(t, s, "", "a")
				deleted.isOver(t, "when it has gone", true)

				see(t, s, "", obj("a", uids[0], ""))
				if err := w.NoteDelete(obj("a", uids[0], ""), nil); err != nil {
					t.Fatal(err)
				}
				note(t, w, obj("a", uids[1], ""))
				again := begin(t.Context(), w.Wait)
				again.isOver(t, "created again, unseen", uids[0] == "") // nothing tells the two apart
				see(t, s, "", obj("a", uids[1], ""))
				if uids[0] != "" {
					again.isOver(t, "created again", true)
				}
			})
		})
	}
}

// An object of the same name with another UID is not the written one.
func TestWithoutVersionsOtherUID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.ForObjects[*object]()
		see(t, s, "", obj("a", "other", ""))
		w := written.New(s.Reader())
		note(t, w, obj("a", "mine", ""))
		wait := begin(t.Context(), w.Wait)
		wait.isOver(t, "when only another object of the name exists", false)
		see(t, s, "", obj("a", "mine", ""))
		wait.isOver(t, "when the written object exists", true)
	})
}

// A reply noted after the delete does not undo it.
func TestLateReplyWithoutVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.ForObjects[*object]()
		see(t, s, "", obj("a", "u", ""))
		w := written.New(s.Reader())
		if err := w.NoteDelete(obj("a", "u", ""), nil); err != nil {
			t.Fatal(err)
		}
		note(t, w, obj("a", "u", ""))
		wait := begin(t.Context(), w.Wait)
		wait.isOver(t, "before it has gone", false)
		lose(t, s, "", "a")
		wait.isOver(t, "when it has gone", true)
	})
}

func TestWaitForVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.ForObjects[*object]()
		w := written.New(s.Reader())
		see(t, s, "5", obj("a", "u1", "3"))
		if err := w.Wait(t.Context()); err != nil {
			t.Fatalf("wait without a write: %v", err)
		}
		note(t, w, obj("a", "u1", "10"))
		note(t, w, obj("b", "u2", "12"))
		note(t, w, obj("a", "u1", "11"))
		note(t, w, obj("a", "u1", "9")) // a reply that came late
		all, a := begin(
			t.Context(),
			w.Wait,
		), begin(
			t.Context(),
			func(ctx context.Context) error { return w.WaitFor(ctx, key("a")) },
		)
		see(t, s, "10", obj("a", "u1", "10"))
		a.isOver(t, "at 10", false)
		see(t, s, "11", obj("a", "u1", "11"))
		a.isOver(t, "at 11", true)
		all.isOver(t, "at 11", false)
		see(t, s, "20") // others have written since
		all.isOver(t, "at 20", true)
		if n := w.Pending(); n != 0 {
			t.Errorf("%d writes are remembered that were seen", n)
		}
	})
}

func TestWaitForDeletion(t *testing.T) {
	for name, test := range map[string]struct {
		deleted *object // as it was given to NoteDelete
		before  []*object
		then    func(t *testing.T, s *cache)
	}{
		"gone":                   {obj("a", "u1", "3"), nil, func(t *testing.T, s *cache) { lose(t, s, "9", "a") }},
		"gone, by name alone":    {obj("a", "", ""), nil, func(t *testing.T, s *cache) { lose(t, s, "9", "a") }},
		"another took its place": {obj("a", "u1", "3"), nil, func(t *testing.T, s *cache) { see(t, s, "9", obj("a", "u2", "9")) }},
		"marked": {obj("a", "u1", "3"), nil, func(t *testing.T, s *cache) {
			o := obj("a", "u1", "9")
			o.DeletionTimestamp = &metav1.Time{Time: time.Now()}
			see(t, s, "9", o)
		}},
		"created and deleted, and neither was seen": {obj("b", "u2", "7"), []*object{obj("b", "u2", "7")}, func(t *testing.T, s *cache) {
			see(t, s, "7", obj("b", "u2", "7"))
			lose(t, s, "9", "b")
		}},
		"updated and deleted, with an old copy": {obj("a", "u1", "3"), []*object{obj("a", "u1", "7")}, func(t *testing.T, s *cache) {
			lose(t, s, "9", "a")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := store.ForObjects[*object]()
				see(t, s, "5", obj("a", "u1", "3"))
				w := written.New(s.Reader())
				for _, o := range test.before {
					note(t, w, o)
				}
				if err := w.NoteDelete(test.deleted, nil); err != nil {
					t.Fatal(err)
				}
				wait := begin(t.Context(), w.Wait)
				see(t, s, "6", obj("c", "u3", "6"))
				wait.isOver(t, "before it is seen", false)
				test.then(t, s)
				wait.isOver(t, "after it was seen", true)
				if n := w.Pending(); n != 0 {
					t.Errorf("%d writes are remembered that were seen", n)
				}
			})
		})
	}
}

// Of delete, create and delete under one name the last counts.
func TestDeletedAndCreatedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.ForObjects[*object]()
		see(t, s, "5", obj("a", "u1", "3"))
		w := written.New(s.Reader())
		if err := w.NoteDelete(obj("a", "u1", "3"), nil); err != nil {
			t.Fatal(err)
		}
		note(t, w, obj("a", "u2", "8"))
		wait := begin(t.Context(), w.Wait)
		lose(t, s, "7", "a")
		wait.isOver(t, "when the first is gone", false)
		see(t, s, "8", obj("a", "u2", "8"))
		wait.isOver(t, "when the second is there", true)
	})
}

func TestFailedWrite(t *testing.T) {
	s := store.ForObjects[*object]()
	w := written.New(s.Reader())
	conflict := apierrors.NewConflict(schema.GroupResource{Resource: "widgets"}, "a", errors.New("no"))
	if _, err := w.Note(obj("a", "u1", "9"), conflict); !apierrors.IsConflict(err) {
		t.Errorf("Note returned %v", err)
	}
	if _, err := w.Note(nil, conflict); !apierrors.IsConflict(err) {
		t.Errorf("Note of nothing returned %v", err)
	}
	if err := w.NoteDelete(obj("a", "u1", "9"), conflict); !apierrors.IsConflict(err) {
		t.Errorf("NoteDelete returned %v", err)
	}
	if _, err := w.Note(nil, nil); err != nil { // a client that returns nothing
		t.Error(err)
	}
	if n := w.Pending(); n != 0 {
		t.Errorf("%d writes are remembered that were not made", n)
	}
	missing := apierrors.NewNotFound(schema.GroupResource{Resource: "widgets"}, "a")
	if err := w.NoteDelete(obj("a", "u1", "9"), missing); !apierrors.IsNotFound(err) {
		t.Errorf("NoteDelete returned %v", err)
	}
	if n := w.Pending(); n != 1 {
		t.Errorf("what the server does not have, the cache may have: %d are remembered", n)
	}
}

func TestWaitErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.ForObjects[*object]()
		see(t, s, "5")
		w := written.New(s.Reader())
		note(t, w, obj("a", "u1", "10"))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := w.Wait(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "ns/a") {
			t.Errorf("ended with %v, want the deadline and the object", err)
		}
		if n := w.Pending(); n != 1 {
			t.Errorf("%d writes are remembered, want that which was not seen", n)
		}
		done := make(chan error, 1)
		go func() { done <- w.Wait(t.Context()) }()
		synctest.Wait()
		var b store.Batch[types.NamespacedName, *object]
		b.Replace(nil)
		b.ResourceVersion("2")
		b.Rewind()
		if _, err := s.Apply(&b); err != nil {
			t.Fatal(err)
		}
		if err := <-done; !errors.Is(err, store.ErrRewound) {
			t.Errorf("ended with %v, want ErrRewound", err)
		}
		if n := w.Pending(); n != 0 {
			t.Errorf("%d writes are remembered that are lost", n)
		}
	})
}

// Without waits, only writes that the cache has not seen stay pending.
func TestNotesAreBounded(t *testing.T) {
	s := store.ForObjects[*object]()
	w := written.New(s.Reader())
	for i := range 10_000 {
		o := obj(fmt.Sprint("pod-", i), fmt.Sprint("u", i), fmt.Sprint(i+1))
		note(t, w, o)
		see(t, s, o.ResourceVersion, o)
		if n := w.Pending(); n > 200 {
			t.Fatalf("%d writes are remembered, all of which were seen but one", n)
		}
	}
}

// With several parts of the source a wait waits for all of them.
func TestSets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.ForObjects[*object]()
		feeder := store.NewFeeder(s, nil)
		feeder.AddParts("a", "b")
		feed := func(part string, version int) {
			feeder.ApplyPart(part, &delta.Batch[types.NamespacedName, *object]{ResourceVersion: fmt.Sprint(version)})
		}
		w := written.New(s.Reader())
		for i := range 1000 {
			note(t, w, obj(fmt.Sprint("pod-", i), fmt.Sprint("u", i), fmt.Sprint(i+1)))
			feed("a", i+1)
		}
		if n := w.Pending(); n != 1000 {
			t.Errorf("%d writes are remembered, none of which b has seen", n)
		}
		wait := begin(t.Context(), w.Wait)
		wait.isOver(t, "before b has seen them", false)
		feed("b", 1000)
		wait.isOver(t, "when b has", true)
		w = written.New(s.Reader())
		for i := range 1000 {
			note(t, w, obj(fmt.Sprint("pod-", i), fmt.Sprint("u", i), fmt.Sprint(1000+i)))
			feed("a", 1000+i)
			feed("b", 1000+i)
			if n := w.Pending(); n > 200 {
				t.Fatalf("%d writes are remembered, all of which were seen but one", n)
			}
		}
	})
}
