// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package written_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/written"
)

// The reply of an update is noted after a later delete: the wait still waits for the delete.
func TestUpdateReplyAfterDelete(t *testing.T) {
	for name, test := range map[string]struct{ deleted, reply string }{
		"deleted without a version":      {"", "4"},
		"deleted with that of the cache": {"5", "7"},
		"deleted with a later one":       {"9", "7"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := store.ForObjects[*object]()
				see(t, s, "5", obj("a", "u", "5"))
				w := written.New(s.Reader())
				if err := w.NoteDelete(obj("a", "u", test.deleted), nil); err != nil {
					t.Fatal(err)
				}
				note(t, w, obj("a", "u", test.reply))
				wait := begin(t.Context(), w.Wait)
				see(t, s, "9", obj("a", "u", "7"))
				wait.isOver(t, "when the update is seen", false)
				lose(t, s, "10", "a")
				wait.isOver(t, "when the deletion is", true)
			})
		})
	}
}

// A late reply about a deleted object does not hide the newer object of the same name.
func TestDeleteByNameAfterLateReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.ForObjects[*object]()
		see(t, s, "1")
		w := written.New(s.Reader())
		note(t, w, obj("a", "u2", "7"))
		note(t, w, obj("a", "u1", "5"))
		if err := w.NoteDelete(obj("a", "", ""), nil); err != nil {
			t.Fatal(err)
		}
		wait := begin(t.Context(), w.Wait)
		see(t, s, "8", obj("a", "u2", "7"))
		wait.isOver(t, "when the object exists", false)
		lose(t, s, "9", "a")
		wait.isOver(t, "when it has gone", true)
	})
}

// A delete by name means the object created last, even if the cache has an older one or none.
func TestDeleteByNameBeforeCreateIsSeen(t *testing.T) {
	for name, before := range map[string][]*object{
		"nothing before": nil,
		"another before": {obj("a", "u0", "3")},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := store.ForObjects[*object]()
				see(t, s, "5", before...)
				w := written.New(s.Reader())
				if before != nil {
					if err := w.NoteDelete(before[0], nil); err != nil {
						t.Fatal(err)
					}
				}
				note(t, w, obj("a", "u", "6"))
				if err := w.NoteDelete(obj("a", "", ""), nil); err != nil {
					t.Fatal(err)
				}
				wait := begin(t.Context(), w.Wait)
				see(t, s, "6", obj("a", "u", "6"))
				wait.isOver(t, "when it is there", false)
				see(t, s, "7", obj("a", "u2", "7"))
				wait.isOver(t, "when another is there", true)
			})
		})
	}
}

func TestDeleteByNameOfForeignObject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.ForObjects[*object]()
		w := written.New(s.Reader())
		note(t, w, obj("a", "u1", "6"))
		see(t, s, "9", obj("a", "u2", "9"))
		if err := w.NoteDelete(obj("a", "", ""), nil); err != nil {
			t.Fatal(err)
		}
		wait := begin(t.Context(), w.Wait)
		wait.isOver(t, "when it is there", false)
		lose(t, s, "10", "a")
		wait.isOver(t, "when it has gone", true)
	})
}

func TestDeleteCollection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.ForObjects[*object]()
		see(t, s, "5", obj("a", "u1", "3"), obj("b", "u2", "4"))
		w := written.New(s.Reader())
		if err := w.NoteDelete(obj("a", "u1", "3"), apierrors.NewUnauthorized("no")); !apierrors.IsUnauthorized(err) ||
			w.Pending() != 0 {
			t.Errorf("what was not done is remembered: %d, %v", w.Pending(), err)
		}
		for _, deleted := range []*object{obj("a", "u1", "3"), obj("b", "u2", "4"), obj("c", "u3", "6"), nil} {
			if err := w.NoteDelete(deleted, nil); err != nil {
				t.Fatal(err)
			}
		}
		wait := begin(t.Context(), w.Wait)
		see(t, s, "6", obj("c", "u3", "6"))
		lose(t, s, "7", "a")
		lose(t, s, "8", "b")
		wait.isOver(t, "when one is left", false)
		lose(t, s, "9", "c")
		wait.isOver(t, "when all have gone", true)
	})
}

// restore makes the cache list again from a server that was restored from a backup.
func restore(t *testing.T, s *cache, resourceVersion string, objs ...*object) {
	t.Helper()
	var b store.Batch[types.NamespacedName, *object]
	b.Replace(objs)
	b.ResourceVersion(resourceVersion)
	b.Rewind()
	if _, err := s.Apply(&b); err != nil {
		t.Fatal(err)
	}
}

// A restore from a backup may lose a write or assign its version again, so waits for earlier
// writes fail.
func TestRestore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.ForObjects[*object]()
		see(t, s, "5", obj("c", "u3", "4"))
		w := written.New(s.Reader())
		note(t, w, obj("a", "u1", "10"))
		note(t, w, obj("b", "u2", "11"))
		if err := w.NoteDelete(obj("c", "u3", ""), nil); err != nil {
			t.Fatal(err)
		}
		restore(t, s, "2", obj("c", "u3", "2"))
		note(t, w, obj("b", "u2", "3")) // the server that was restored gives versions anew
		see(t, s, "5")
		if err := w.WaitFor(t.Context(), key("a")); !errors.Is(err, store.ErrRewound) {
			t.Errorf("of a version that is lost: %v", err)
		}
		if err := w.WaitFor(t.Context(), key("b")); err != nil {
			t.Errorf("of one that was given since: %v", err)
		}
		if err := w.Wait(t.Context()); !errors.Is(err, store.ErrRewound) {
			t.Errorf("of a deletion that is lost: %v", err)
		}
		if err := w.Wait(t.Context()); err != nil || w.Pending() != 0 {
			t.Errorf("it was said once: %v, and %d are remembered", err, w.Pending())
		}
		for i := range 10 {
			note(t, w, obj(fmt.Sprint("w", i), "u", "1000"))
		}
		waiting := begin(t.Context(), w.Wait)
		restore(t, s, "1")
		if err := <-waiting; !errors.Is(err, store.ErrRewound) {
			t.Errorf("under way: %v", err)
		}
		if err := w.Wait(t.Context()); err != nil || w.Pending() != 0 {
			t.Errorf("one error says it of all: %v, and %d are remembered", err, w.Pending())
		}
	})
}

// Without waits, writes lost in a restore do not stay pending. The next wait returns the error.
func TestRestorePrunesPending(t *testing.T) {
	s := store.ForObjects[*object]()
	see(t, s, "5")
	w := written.New(s.Reader())
	for i := range 100 {
		restore(t, s, "4")
		for j := range 30 {
			note(t, w, obj(fmt.Sprint("pod-", i, "-", j), "u", "1000"))
		}
		if n := w.Pending(); n > 200 {
			t.Fatalf("%d writes are remembered, of which 30 can be seen", n)
		}
	}
	see(t, s, "1000")
	if err := w.WaitFor(t.Context(), key("pod-0-0")); !errors.Is(err, store.ErrRewound) {
		t.Errorf("of what was lost: %v", err)
	}
	if err := errors.Join(w.Wait(t.Context()), w.WaitFor(t.Context(), key("pod-0-0"))); err != nil &&
		!errors.Is(err, store.ErrRewound) {
		t.Error(err)
	}
	if err := w.Wait(t.Context()); err != nil || w.Pending() != 0 {
		t.Errorf("it was said before: %v, and %d are remembered", err, w.Pending())
	}
}

// Random writes with replies noted in any order and a cache at any earlier version: a wait ends
// exactly when the cache has seen all noted writes.
func TestRandomWrites(t *testing.T) {
	for seed := range uint64(500) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 0))
			s := store.ForObjects[*object]()
			w := written.New(s.Reader())
			var (
				version int
				exists  = map[string]*object{}
				events  []func() // for the cache, in order
				replies []func() // to be noted late
				wrote   = map[string]int{}
				gone    = map[types.UID]string{}
				known   = map[types.UID]bool{} // noted, as it is written or later
			)
			next := func() string { version++; return fmt.Sprint(version) }
			for range 60 {
				name := fmt.Sprint("o", rng.IntN(3))
				switch o := exists[name]; {
				case o == nil || rng.IntN(3) > 0:
					uid := fmt.Sprint("u", version+1)
					if o != nil {
						uid = string(o.UID)
					}
					o = obj(name, uid, next())
					exists[name] = o
					events = append(events, func() { see(t, s, o.ResourceVersion, o) })
					at := version
					reply := func() { note(t, w, o); wrote[name], known[o.UID] = max(wrote[name], at), true }
					if rng.IntN(3) == 0 {
						replies = append(replies, reply)
					} else {
						reply()
					}
				default:
					delete(exists, name)
					rv := next()
					events = append(events, func() { lose(t, s, rv, name) })
					d := obj(name, string(o.UID), "")
					if !known[o.UID] || rng.IntN(2) == 0 {
						d.ResourceVersion = o.ResourceVersion
					}
					if err := w.NoteDelete(d, nil); err != nil {
						t.Fatal(err)
					}
					gone[o.UID] = name
				}
				for len(replies) > 0 && rng.IntN(4) == 0 {
					i := rng.IntN(len(replies))
					replies[i]()
					replies = append(replies[:i], replies[i+1:]...)
				}
				for n := rng.IntN(3); n > 0 && len(events) > 0; n-- {
					events[0]()
					events = events[1:]
				}
				if rng.IntN(4) > 0 {
					continue
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				err := w.Wait(ctx)
				cancel()
				if err != nil {
					if len(events) == 0 {
						t.Fatalf(
							"seed %d: the cache has seen everything, and the wait goes on: %v",
							seed,
							err,
						)
					}
					continue
				}
				for name, at := range wrote {
					if reached, err := s.Reader().Reached(s.Reader().Epoch(), fmt.Sprint(at)); !reached ||
						err != nil {
						t.Fatalf(
							"seed %d: the wait is over, and the cache is not at %d, of %s: %v",
							seed,
							at,
							name,
							err,
						)
					}
				}
				for o := range s.Reader().All() {
					if name, was := gone[o.UID]; was {
						t.Fatalf(
							"seed %d: the wait is over, and the cache has %s, which was deleted",
							seed,
							name,
						)
					}
				}
			}
		})
	}
}
