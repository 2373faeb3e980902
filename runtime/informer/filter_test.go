// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"testing"
	"testing/synctest"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/types"
)

func yes(o *object) bool { return o.Labels["v"] == "yes" }

// versioned gives o a version and a UID.
func versioned(o *object, version, uid string) *object {
	o.ResourceVersion, o.UID = version, types.UID(uid)
	return o
}

// A handler that is busy while an object ceases to be selected, and then goes, must be
// told that it is gone.
func TestFilterOfACoalescingHandlerTellsOfDeletion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		inf := newInformer(srv)
		r := &recorder{hold: make(chan struct{}, 100)}
		inf.AddEventHandler(informer.Filter[*object](yes, r), informer.WithCoalescing())
		start(t, inf)
		synctest.Wait()
		srv.Set(widget("x", "v", "yes"))
		srv.Set(widget("busy", "v", "yes"))
		r.hold <- struct{}{}
		synctest.Wait() // in the call for busy
		srv.Set(widget("x", "v", "no"))
		synctest.Wait()
		srv.Delete("ns", "x")
		synctest.Wait()
		close(r.hold)
		expect(t, r, "+xyes +busyyes -xyes?")
	})
}

func TestFilterGoesByWhatWasToldNotByTheFinalState(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		release := make(chan struct{})
		s := (&sourcetest.Script[*object]{NoWatchList: true}).
			Lists(
				sourcetest.Objects(
					"5",
					versioned(widget("x", "v", "yes"), "5", "x"),
					versioned(widget("y", "v", "no"), "4", "y"),
				),
			).
			Watches(sourcetest.Stream(
				sourcetest.Await[*object](release),
				sourcetest.Deleted(versioned(widget("x", "v", "no"), "6", "x")),
				sourcetest.Deleted(versioned(widget("y", "v", "yes"), "7", "y")),
				sourcetest.Hang[*object]()))
		inf := informer.New(widgets, s.Source(), store.ForObjects[*object]())
		r := &recorder{}
		inf.AddEventHandler(informer.Filter[*object](yes, r), opts...)
		start(t, inf)
		expect(t, r, "+xyes*")
		close(release)
		expect(t, r, "-xno")
	})
}

func TestTombstoneHasWhatWasToldLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		inf := newInformer(srv)
		hold, last := make(chan struct{}), ""
		inf.AddEventHandler(informer.HandlerFuncs[*object]{
			AddFunc:    func(*object, bool) { <-hold },
			DeleteFunc: func(d informer.Tombstone[*object]) { last += tag(d.LastSeen) + " " + tag(d.Object) + " " },
		}, informer.WithCoalescing())
		start(t, inf)
		synctest.Wait()
		srv.Set(widget("x", "v", "1"))
		synctest.Wait()
		srv.Set(widget("x", "v", "2"))
		synctest.Wait()
		srv.Delete("ns", "x")
		synctest.Wait()
		close(hold)
		synctest.Wait()
		if last != "x1 x1 " { // x2 was never told
			t.Errorf("got %q", last)
		}
	})
}
