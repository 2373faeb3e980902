// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

func TestLifetime(t *testing.T) {
	testInformers(t, 0, func(t *informerTest) {
		t.source.Add(t.pod("a"))
		h := t.add()
		t.want("synced before Run", t.HasSynced(), false)
		t.want("stopped before Run", t.IsStopped(), false)
		t.want("version before Run", t.LastSyncResourceVersion(), "")
		t.start()
		t.want("synced", t.HasSynced(), true)
		t.want("checker", cache.IsDone(t.HasSyncedChecker()), true)
		t.want("handler synced", h.handle.HasSynced(), true)
		t.want("handler's checker", cache.IsDone(h.handle.HasSyncedChecker()), true)
		t.want("controller", t.GetController().HasSynced(), true)
		t.want("version", t.LastSyncResourceVersion(), "1")
		t.want("store's version", t.GetStore().LastStoreSyncResourceVersion(), "1")
		t.RunWithContext(t.ctx) // returns
		t.want("stopped", t.IsStopped(), false)

		t.stop()
		t.want("stopped after Run", t.IsStopped(), true)
		if _, err := t.AddEventHandler(h); err == nil {
			t.Error("a handler was added to a stopped informer")
		} else if !strings.HasSuffix(err.Error(), "it has stopped already") { // programs look for it
			t.Errorf("adding a handler to a stopped informer: %v", err)
		}
		if t.AddIndexers(cache.Indexers{"late": cache.MetaNamespaceIndexFunc}) == nil {
			t.Error("an index was added to a stopped informer")
		}
		t.RunWithContext(context.Background()) // returns
		t.want("objects of a stopped informer", t.GetStore().ListKeys(), []string{"ns/a"})
	})
}

func TestEvents(t *testing.T) {
	testInformers(t, 0, func(t *informerTest) {
		t.source.Add(t.pod("a"))
		t.source.Add(t.pod("b"))
		first := t.add()
		t.start()
		t.want("initial", first.take(), "[add a true add b true]")
		t.source.Modify(t.pod("a"))
		t.source.Delete(t.pod("b"))
		t.source.Add(t.pod("c"))
		t.settle()
		t.want("changes", first.take(), "[add c false delete b update a 1→3]")
		late := t.add()
		t.settle()
		t.want("late", late.take(), "[add a true add c true]")
		t.want("late synced", late.handle.HasSynced(), true)
		t.source.Modify(t.pod("c"))
		t.settle()
		t.want("first", first.take(), "[update c 5→6]")
		t.want("late", late.take(), "[update c 5→6]")
	})
}

func TestRelist(t *testing.T) {
	testInformers(t, 0, func(t *informerTest) {
		for _, name := range []string{"gone", "changed", "same"} {
			t.source.Add(t.pod(name))
		}
		h := t.add()
		t.start()
		h.take()
		t.source.DeleteDropWatch(t.pod("gone"))
		t.source.ModifyDropWatch(t.pod("changed"))
		t.source.AddDropWatch(t.pod("new"))
		t.source.ResetWatch()
		t.settle()
		calls := h.take()
		if len(calls) > 0 && calls[len(calls)-1] == "update same 3→3" {
			calls = calls[:len(calls)-1] // of client-go alone, see doc.go
		}
		t.want("changes", calls[0:2], "[add new false unknown ns/gone gone]")
		t.want("objects", len(t.GetStore().List()), 3)
	})
}

func TestHandlerRemoval(t *testing.T) {
	testInformers(t, 0, func(t *informerTest) {
		early := t.add()
		if err := t.RemoveEventHandler(early.handle); err != nil {
			t.Error(err)
		}
		gone, stays := t.add(), t.add()
		t.start()
		for range 2 { // the second is not an error
			if err := t.RemoveEventHandler(gone.handle); err != nil {
				t.Error(err)
			}
		}
		if t.RemoveEventHandler(foreignHandle{}) == nil {
			t.Error("a foreign handle was removed")
		}
		other := kinds[path.Base(t.Name())].make(t.source, t.pod(""), 0, nil)
		if err := other.RemoveEventHandler(stays.handle); err != nil {
			t.Errorf("removing a handler of another informer: %v", err)
		}
		t.source.Add(t.pod("a"))
		t.settle()
		t.want("removed before Run", early.take(), "[]")
		t.want("removed", gone.take(), "[]")
		t.want("other", stays.take(), "[add a false]")
	})
}

type foreignHandle struct {
	cache.ResourceEventHandlerRegistration
}

// TestShutDownEventHandler waits as cache.ShutDownEventHandler of client-go 0.37 does.
func TestShutDownEventHandler(t *testing.T) {
	testInformers(t, 0, func(t *informerTest) {
		h := &recorder{block: make(chan struct{})}
		handle, _ := t.AddEventHandler(h)
		shutdown, ok := handle.(interface{ ShutdownChan() <-chan struct{} })
		if !ok {
			t.Skip("client-go 0.36 has no ShutdownChan")
		}
		t.source.Add(t.pod("a"))
		t.start()
		if err := t.RemoveEventHandler(handle); err != nil {
			t.Fatal(err)
		}
		select {
		case <-shutdown.ShutdownChan():
			t.Error("shut down during a call")
		default:
		}
		close(h.block)
		<-shutdown.ShutdownChan()
		t.want("calls", h.take(), "[add a true]")
	})
}

func TestSlowHandler(t *testing.T) {
	const n = 3000 // more than a bounded handler may have pending
	testInformers(t, 0, func(t *informerTest) {
		slow := &recorder{block: make(chan struct{})}
		if _, err := t.AddEventHandler(slow); err != nil {
			t.Fatal(err)
		}
		quick := t.add()
		t.start()
		for i := range n {
			t.source.Add(t.pod(fmt.Sprint(i)))
			if i%50 == 0 {
				t.settle() // the source drops what its watch has no room for
			}
		}
		t.settle()
		t.want("quick handler", len(quick.take()), n)
		t.want("store", len(t.GetStore().ListKeys()), n)
		close(slow.block)
		t.settle()
		t.want("slow handler", len(slow.take()), n)
	})
}

func TestResync(t *testing.T) {
	testInformers(t, 10*time.Second, func(t *informerTest) {
		t.source.Add(t.pod("a"))
		usual, never, seldom := t.add(), t.add(0), t.add(30*time.Second)
		t.start()
		for _, r := range []*recorder{usual, never, seldom} {
			r.take()
		}
		time.Sleep(60 * time.Second)
		t.want("default", near(len(usual.take()), 6), true)
		t.want("never", len(never.take()), 0)
		t.want("seldom", near(len(seldom.take()), 2), true)
		often := t.add(time.Millisecond) // not more often than the informer
		t.settle()
		calls := often.take()
		t.want("added late", near(len(calls)-1, 6), true)
		t.want("resync", calls[1], "update a 1→1")
	})
}

func near(n, want int) bool { return n >= want-1 && n <= want+1 }

func TestNoResync(t *testing.T) {
	testInformers(t, 0, func(t *informerTest) {
		t.source.Add(t.pod("a"))
		h := t.add(time.Second)
		t.start()
		t.want("calls", h.take(), "[add a true]")
	})
}

func TestTransform(t *testing.T) {
	testInformers(t, 0, func(t *informerTest) {
		err := t.SetTransform(func(obj any) (any, error) {
			pod := podOf(obj)
			if pod.Name == "bad" && pod.ResourceVersion != "2" {
				return nil, errors.New("cannot transform")
			}
			pod.Spec.NodeName = "transformed"
			return obj, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		t.source.Add(t.pod("listed"))
		t.start()
		t.source.Add(t.pod("watched"))
		t.settle()
		for _, obj := range t.GetStore().List() {
			t.want("node", podOf(obj).Spec.NodeName, "transformed")
		}
		t.want("objects", len(t.GetStore().List()), 2)
		if t.SetTransform(func(obj any) (any, error) { return obj, nil }) == nil {
			t.Error("a transform was set after the start")
		}
	})
}

// The cache keeps the last state of an object whose transform fails. A transform cannot ask for that
// in silence, as sources do with source.ErrKeep.
func TestTransformFails(t *testing.T) {
	for _, fail := range []func() error{func() error { panic("boom") }, func() error { return source.ErrKeep }} {
		testTransformFails(t, fail)
	}
}

func testTransformFails(t *testing.T, fail func() error) {
	testOurs(t, func(t *informerTest) {
		var reported []error
		err := errors.Join(
			t.SetTransform(func(obj any) (any, error) {
				if podOf(obj).ResourceVersion != "1" {
					return nil, fail()
				}
				return obj, nil
			}),
			t.SetWatchErrorHandler(func(_ *cache.Reflector, err error) { reported = append(reported, err) }),
		)
		if err != nil {
			t.Fatal(err)
		}
		t.source.Add(t.pod("a"))
		t.start()
		t.source.Modify(t.pod("a"))
		t.settle()
		if obj, ok, _ := t.GetStore().GetByKey("ns/a"); !ok || podOf(obj).ResourceVersion != "1" {
			t.Errorf("the cache has %v", obj)
		}
		if len(reported) != 1 || !strings.Contains(reported[0].Error(), "ns/a") ||
			!strings.Contains(reported[0].Error(), "the transform ") {
			t.Errorf("the errors are %v", reported)
		}
	})
}

// An object whose transform returns nil is left out, and deleted if it was cached. client-go loses the first list.
func TestTransformToNil(t *testing.T) {
	for _, none := range []any{nil, (*corev1.Pod)(nil)} {
		testOurs(t, func(t *informerTest) {
			leavesOut := false
			if err := t.SetTransform(func(obj any) (any, error) {
				if leavesOut || podOf(obj).Name == "out" {
					return none, nil
				}
				return obj, nil
			}); err != nil {
				t.Fatal(err)
			}
			t.source.Add(t.pod("out"))
			t.source.Add(t.pod("a"))
			t.source.Add(t.pod("b"))
			var deleted []string
			_, err := t.AddEventHandler(cache.ResourceEventHandlerFuncs{DeleteFunc: func(obj any) {
				last := obj.(cache.DeletedFinalStateUnknown)
				deleted = append(deleted, last.Key+" "+podOf(last.Obj).Spec.NodeName)
			}})
			if err != nil {
				t.Fatal(err)
			}
			t.start()
			t.want("synced", t.HasSynced(), true)
			t.want("listed", len(t.GetStore().ListKeys()), 2)
			leavesOut = true
			t.source.Modify(t.pod("a"))
			t.source.Delete(t.pod("b"))
			t.settle()
			t.want("objects", len(t.GetStore().ListKeys()), 0)
			t.want("deleted", deleted, "[ns/a node-of-a ns/b node-of-b]")
			t.want("reached", t.LastSyncResourceVersion(), "5")
			stats, _ := clientgo.Stats(t.SharedIndexInformer)
			t.want("left out", stats.Sources[0].Dropped, 2)
			t.want("an error of an object", strings.Contains(fmt.Sprint(stats.Sources[0].LastError), "ns/"), false)
		})
	}
}

// An informer holds any type that a transform returns, unless its type is registered.
func TestTransformToAnotherType(t *testing.T) {
	testInformers(t, 0, func(t *informerTest) {
		err := t.SetTransform(func(obj any) (any, error) {
			return &metav1.PartialObjectMetadata{ObjectMeta: podOf(obj).ObjectMeta}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		t.source.Add(t.pod("listed"))
		t.start()
		t.source.Add(t.pod("watched"))
		t.settle()
		if strings.HasSuffix(t.Name(), "/typed") {
			t.notSynced("list: ns/", "*v1.PartialObjectMetadata", "*clientgo_test.podType", "Register")
			return
		}
		t.want("objects", len(t.GetStore().List()), 2)
	})
}

func TestTransformToNoObject(t *testing.T) {
	testInformers(t, 0, func(t *informerTest) {
		if err := t.SetTransform(func(obj any) (any, error) { return podOf(obj).Name, nil }); err != nil {
			t.Fatal(err)
		}
		t.source.Add(t.pod("listed"))
		t.start()
		if !strings.HasSuffix(t.Name(), "/client-go") { // which drops it
			t.notSynced("ns/listed", "a string is not stored with objects of type")
		}
	})
}

// notSynced requires that WaitForSync returns an error with the parts.
func (t *informerTest) notSynced(parts ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err := clientgo.WaitForSync(ctx, t.SharedIndexInformer)
	for _, part := range parts {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("the error %v does not have %q", err, part)
		}
	}
}

func TestWatchErrorHandler(t *testing.T) {
	testInformers(t, 0, func(t *informerTest) {
		cause := errors.New("the server is on holiday")
		var heard atomic.Value
		handle := func(ctx context.Context, r *cache.Reflector, err error) {
			cache.DefaultWatchErrorHandler(ctx, r, io.EOF) // the reflector is there
			heard.Store(err)
		}
		if err := t.SetWatchErrorHandler(func(*cache.Reflector, error) { t.Error("replaced") }); err != nil {
			t.Fatal(err)
		}
		if err := t.SetWatchErrorHandlerWithContext(handle); err != nil {
			t.Fatal(err)
		}
		t.source.ListError = cause
		t.start()
		if err, _ := heard.Load().(error); !errors.Is(err, cause) {
			t.Errorf("the handler got %v", err)
		}
		t.want("synced", t.HasSynced(), false)
		if t.SetWatchErrorHandler(nil) == nil {
			t.Error("a watch error handler was set after the start")
		}
	})
}

func TestPanickingHandler(t *testing.T) {
	reallyCrash := utilruntime.ReallyCrash
	utilruntime.ReallyCrash = false
	defer func() { utilruntime.ReallyCrash = reallyCrash }()
	testInformers(t, 0, func(t *informerTest) {
		r := &recorder{}
		_, err := t.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(any) { panic("in a test") },
			UpdateFunc: r.OnUpdate,
		})
		if err != nil {
			t.Fatal(err)
		}
		t.source.Add(t.pod("a"))
		t.start()
		t.source.Modify(t.pod("a"))
		t.settle()
		t.want("calls after the panic", r.take(), "[update a 1→2]")
	})
}

// TestPanickingHandlerPauses checks that a handler that panics each time does not flood the log.
func TestPanickingHandlerPauses(t *testing.T) {
	reallyCrash := utilruntime.ReallyCrash
	utilruntime.ReallyCrash = false
	defer func() { utilruntime.ReallyCrash = reallyCrash }()
	testInformers(t, 0, func(t *informerTest) {
		var calls []time.Time
		_, err := t.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(any) {
			calls = append(calls, time.Now())
			panic("in a test")
		}})
		if err != nil {
			t.Fatal(err)
		}
		t.source.Add(t.pod("a"))
		t.source.Add(t.pod("b"))
		t.start()
		t.want("calls", len(calls), 2)
		if pause := calls[1].Sub(calls[0]); pause < time.Second {
			t.Errorf("the next call came %v after the panic, want a second", pause)
		}
	})
}

func TestFilteringHandler(t *testing.T) {
	testInformers(t, 0, func(t *informerTest) {
		r := &recorder{}
		_, err := t.AddEventHandler(cache.FilteringResourceEventHandler{
			FilterFunc: func(obj any) bool { return obj.(metav1.Object).GetName() == "a" }, Handler: r,
		})
		if err != nil {
			t.Fatal(err)
		}
		t.source.Add(t.pod("a"))
		t.source.Add(t.pod("b"))
		t.start()
		t.want("calls", r.take(), "[add a true]")
	})
}
