// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package trigger_test

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/trigger"
)

// world has widgets that refer to secrets by an annotation.
type world struct {
	widgets, secrets           *informer.Informer[*object]
	widgetServer, secretServer *runtimetest.Server[*object]
	trigger                    *trigger.Trigger[*object]
	edge                       *trigger.Edge[*object, *object]
	stop, endLoop              context.CancelFunc
	running                    sync.WaitGroup
	bySecret                   func(key) iter.Seq[*object]
	mu                         sync.Mutex
	yielded                    []string
	released                   chan struct{} // if not nil, loop bodies receive from it
}

func newWorld() *world {
	w := &world{
		widgetServer: runtimetest.NewServer[*object](),
		secretServer: runtimetest.NewServer[*object](),
	}
	w.widgets, w.secrets = newInformer("widgets", w.widgetServer), newInformer("secrets", w.secretServer)
	ix := store.AddIndex(w.widgets.Store(), "Secret", IndexWidgetBySecret)
	w.bySecret = func(secret key) iter.Seq[*object] { return ix.Get(w.widgets.Store().Reader(), secret) }
	w.trigger = trigger.For(w.widgets)
	w.edge = trigger.On(w.trigger, w.secrets, IndexWidgetBySecret, w.bySecret)
	return w
}

// start runs the informers and a loop over Keys.
func (w *world) start(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	w.stop = stop
	w.running.Go(func() { _ = w.widgets.Run(ctx) })
	w.running.Go(func() { _ = w.secrets.Run(ctx) })
	w.startLoop(t)
}

func (w *world) startLoop(t *testing.T) {
	ctx, endLoop := context.WithCancel(t.Context())
	w.endLoop = endLoop
	w.running.Go(func() {
		for key, causes := range w.trigger.Keys(ctx) {
			w.mu.Lock()
			w.yielded = append(w.yielded, key.Name+" < "+causes.String())
			w.mu.Unlock()
			if w.released != nil {
				<-w.released
			}
		}
	})
	synctest.Wait()
}

func (w *world) end() {
	w.endLoop()
	w.stop()
	w.running.Wait()
}

// expect compares the yielded keys since the last call.
func (w *world) expect(t *testing.T, want ...string) {
	t.Helper()
	if got := w.drain(); !slices.Equal(got, want) {
		t.Errorf("yielded\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// drain waits until nothing goes on, and returns what has been yielded since the last call.
func (w *world) drain() []string {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	yielded := w.yielded
	w.yielded = nil
	return yielded
}

func widget(name, secret string) *object {
	obj := &object{}
	obj.Namespace, obj.Name, obj.Annotations = "lab", name, map[string]string{"secret": secret}
	return obj
}

func secret(name, version string) *object {
	obj := &object{}
	obj.Namespace, obj.Name, obj.Labels = "lab", name, map[string]string{"version": version}
	return obj
}

func TestCausesAreMergedForAPendingKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.released = make(chan struct{})
		w.widgetServer.Set(widget("pump", "s"))
		w.start(t)
		defer w.end()
		w.expect(t, "pump < widgets: lab/pump")
		for _, version := range []string{"1", "2", "3"} {
			w.secretServer.Set(secret("s", version))
			synctest.Wait()
		}
		w.widgetServer.Set(widget("pump", ""))
		w.expect(t)
		close(w.released)
		w.expect(t, "pump < secrets → widgets: lab/s (3 changes), widgets: lab/pump")
		want := []trigger.EdgeStats{
			{Edge: "widgets", Delivered: 1, Merged: 1},
			{Edge: "secrets → widgets", Delivered: 1, Merged: 2},
		}
		if got := w.trigger.Stats(); !slices.Equal(got, want) {
			t.Errorf("statistics %+v, want %+v", got, want)
		}
	})
}

func TestChangedDropsUpdatesButNoChangeOfAReference(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.trigger.Changed(func(_, _ *object) bool { return false })
		w.edge.Changed(func(old, new *object) bool { return old.Labels["version"] != new.Labels["version"] })
		w.widgetServer.Set(widget("pump", "s"))
		w.secretServer.Set(secret("s", "1"))
		w.start(t)
		defer w.end()
		w.drain()
		relabeled := widget("pump", "s")
		relabeled.Labels = map[string]string{"new": "label"}
		w.widgetServer.Set(relabeled)
		annotated := secret("s", "1")
		annotated.Annotations = map[string]string{"new": "annotation"}
		w.secretServer.Set(annotated)
		w.expect(t)
		w.secretServer.Set(secret("s", "2"))
		w.expect(t, "pump < secrets → widgets: lab/s")
		w.widgetServer.Set(widget("pump", "other"))
		w.expect(t, "pump < widgets: lab/pump")
		if stats := w.trigger.Stats(); stats[0].Unchanged != 1 || stats[1].Unchanged != 1 {
			t.Errorf("statistics %+v, want one unchanged update for each edge", stats)
		}
	})
}

func TestIfSeesBothStatesOfAnUpdate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.edge.If(func(s, widget *object) bool { return s.Labels["version"] == "1" && widget.Name == "pump" })
		w.widgetServer.Set(widget("pump", "s"))
		w.widgetServer.Set(widget("valve", "s"))
		w.start(t)
		defer w.end()
		w.drain()
		w.secretServer.Set(secret("s", "1"))
		w.expect(t, "pump < secrets → widgets: lab/s")
		w.secretServer.Set(secret("s", "2"))
		w.expect(t, "pump < secrets → widgets: lab/s")
		w.secretServer.Set(secret("s", "3"))
		w.expect(t)
	})
}

func TestAfterDelaysKeysAndYieldsToOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.edge.After(time.Minute)
		w.widgetServer.Set(widget("pump", "s"))
		w.start(t)
		defer w.end()
		w.drain()
		w.secretServer.Set(secret("s", "1"))
		time.Sleep(30 * time.Second)
		w.secretServer.Set(secret("s", "2"))
		w.expect(t)
		time.Sleep(30 * time.Second)
		w.expect(t, "pump < secrets → widgets: lab/s (2 changes)")
		w.secretServer.Set(secret("s", "3"))
		w.expect(t)
		relabeled := widget("pump", "s")
		relabeled.Labels = map[string]string{"new": "label"}
		w.widgetServer.Set(relabeled)
		w.expect(t, "pump < secrets → widgets: lab/s, widgets: lab/pump")
		time.Sleep(time.Hour)
		w.expect(t)
	})
}

func TestKeysBeginsAgainWithTheInitialLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.edge.After(time.Minute)
		w.widgetServer.Set(widget("pump", "s"))
		w.start(t)
		defer w.end()
		w.expect(t, "pump < widgets: lab/pump")
		w.secretServer.Set(secret("s", "1"))
		synctest.Wait()
		w.endLoop() // the delayed key is dropped
		time.Sleep(time.Hour)
		w.expect(t)
		w.startLoop(t)
		if got := w.drain(); len(got) != 1 || !strings.Contains(got[0], "widgets: lab/pump") {
			t.Errorf("a new loop got %q, want the key of the initial lists", got)
		}
	})
}

// The last loop ends while a handler is in Changed. Neither waits for the other, and a new loop begins.
func TestLoopEndsDuringAHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		slow, finish := false, make(chan struct{})
		w.edge.Changed(func(_, _ *object) bool {
			if slow {
				<-finish
				w.trigger.Stats()
				if err := w.trigger.WaitForSync(t.Context()); err != nil {
					t.Error(err)
				}
			}
			return true
		})
		w.widgetServer.Set(widget("pump", "s"))
		w.secretServer.Set(secret("s", "1"))
		w.start(t)
		defer w.end()
		w.drain()
		slow = true
		w.secretServer.Set(secret("s", "2"))
		synctest.Wait()
		w.endLoop()
		synctest.Wait()
		w.trigger.Stats()
		w.startLoop(t)
		if got := w.drain(); len(got) != 1 || !strings.Contains(got[0], "widgets: lab/pump") {
			t.Errorf("a new loop got %q, want the key of the initial lists", got)
		}
		slow = false
		close(finish)
		w.expect(t) // what the old handler found was for the old loop
		w.secretServer.Set(secret("s", "3"))
		w.expect(t, "pump < secrets → widgets: lab/s")
	})
}

func TestWaitForSyncSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.secretServer.Fail(errors.New("no rights to secrets"))
		w.start(t)
		defer w.end()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if err := w.trigger.WaitForSync(ctx); err == nil || !strings.Contains(err.Error(), "no rights to secrets") {
			t.Errorf("%v does not say why", err)
		}
		if err := w.trigger.WaitForSync(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestConcernedNeedsNoLoop(t *testing.T) {
	w := newWorld()
	for _, name := range []string{"pump", "valve"} {
		if err := w.widgets.Store().Set(widget(name, "s")); err != nil {
			t.Fatal(err)
		}
	}
	got := slices.Collect(w.edge.Concerned(secret("s", "1")))
	want := []key{{Namespace: "lab", Name: "pump"}, {Namespace: "lab", Name: "valve"}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A reference may have a string type of its own, as +index on a field of such a type emits.
func TestReferencesOfANamedStringType(t *testing.T) {
	type className string
	classes := func(dst []className, widget *object) []className {
		return append(dst, className(widget.Annotations["class"]))
	}
	w := newWorld()
	ix := store.AddIndex(w.widgets.Store(), "Class", classes)
	byClass := func(name className) iter.Seq[*object] { return ix.Get(w.widgets.Store().Reader(), name) }
	pump := widget("pump", "")
	pump.Annotations["class"] = "fast"
	if err := w.widgets.Store().Set(pump); err != nil {
		t.Fatal(err)
	}
	toClass := trigger.OnRefs(trigger.For(w.secrets), w.widgets, classes)
	for want, got := range map[key]iter.Seq[key]{
		{Namespace: "lab", Name: "pump"}: trigger.On(w.trigger, w.secrets, classes, byClass).Concerned(secret("fast", "")),
		{Name: "fast"}:                   toClass.Concerned(pump),
	} {
		if got := slices.Collect(got); !slices.Equal(got, []key{want}) {
			t.Errorf("%v, want %v", got, want)
		}
	}
}
