// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package hub

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

type pod = *metav1.PartialObjectMetadata

// feed writes to a store and puts what changes into inboxes, as a hub does.
type feed struct {
	s       *store.Store[types.NamespacedName, pod]
	feeder  *store.Feeder[types.NamespacedName, pod]
	inboxes []inbox[pod]
	version int
}

func newFeed(inboxes ...inbox[pod]) *feed {
	f := &feed{s: store.ForObjects[pod](), inboxes: inboxes}
	f.feeder = store.NewFeeder(f.s, nil)
	f.feeder.AddParts("other")
	return f
}

func (f *feed) deliver(d Delivery[pod]) {
	d.snapshotAfter, d.arrivalHubTime = f.s.Reader().Snapshot(), 1
	for _, b := range f.inboxes {
		b.Put(&d)
	}
}

// set creates or updates objects, each with its own UID unless uid is given.
func (f *feed) deltas(kind delta.Type, uid string, names ...string) (deltas []delta.Delta[types.NamespacedName, pod]) {
	for _, name := range names {
		f.version++
		obj := named(name)
		obj.ResourceVersion, obj.UID = fmt.Sprint(f.version), types.UID(name+uid)
		deltas = append(deltas, delta.New(kind, store.KeyOf(obj), obj))
	}
	return deltas
}

func (f *feed) apply(d Delivery[pod], deltas ...delta.Delta[types.NamespacedName, pod]) {
	d.Changes = f.feeder.Apply(&delta.Batch[types.NamespacedName, pod]{Deltas: deltas, Replace: d.List})
	f.deliver(d)
}

func (f *feed) set(names ...string) {
	f.apply(Delivery[pod]{}, f.deltas(delta.Updated, "", names...)...)
}
func (f *feed) remove(names ...string) {
	f.apply(Delivery[pod]{}, f.deltas(delta.Deleted, "", names...)...)
}
func (f *feed) resync() { f.deliver(Delivery[pod]{replaysSnapshot: true, isResync: true}) }

func named(name string) pod {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: name}}
}

// puller makes the calls of an inbox one by one, as a listener does.
type puller struct {
	inbox[pod]
	current Delivery[pod]
	calling bool
	synced  bool
}

func (p *puller) next() (c store.Change[pod], initial, ok bool) {
	if p.calling {
		p.Called()
	}
	p.calling, ok = false, true
	for ok && len(p.current.Changes) == 0 {
		p.synced = p.synced || p.current.Last
		p.current, ok = p.Next()
	}
	if !ok {
		return c, false, false
	}
	p.calling = true
	c, p.current.Changes = p.current.Changes[0], p.current.Changes[1:]
	return c, p.current.Initial && c.Type == store.Added, true
}

func newPuller() (*puller, *coalescingInbox[pod]) {
	b := &coalescingInbox[pod]{}
	return &puller{inbox: b}, b
}

// text describes the next calls of b, at most n.
func text(b *puller, n int) (calls []string) {
	for range n {
		c, initial, ok := b.next()
		if !ok {
			break
		}
		call := map[store.ChangeType]string{store.Added: "+", store.Updated: "~", store.Deleted: "-"}[c.Type]
		if c.Type == store.Deleted {
			call += c.Old.Name + map[store.Cause]string{store.FinalStateUnknown: "?", store.SourceRemoved: "!"}[c.Cause]
		} else {
			call += c.New.Name
		}
		if initial {
			call += "*"
		}
		calls = append(calls, call)
	}
	return calls
}

func expectCalls(t *testing.T, b *puller, n int, want ...string) {
	t.Helper()
	if got := text(b, n); !slices.Equal(got, want) {
		t.Errorf("the calls are %v, want %v", got, want)
	}
}

// A delivery that waits alone is passed on as it is. Several are merged: an addition and a deletion cancel out, two
// updates are one, and an object that was created again is deleted and added.
func TestPassesOfCoalescing(t *testing.T) {
	b, _ := newPuller()
	f := newFeed(b)
	f.set("a", "b")
	expectCalls(t, b, 1, "+a")
	f.remove("a")
	expectCalls(t, b, 2, "+b", "-a")
	f.set("c")
	expectCalls(t, b, 9, "+c")
	f.set("d")
	f.set("c")
	f.set("c")
	f.remove("d")
	expectCalls(t, b, 9, "~c")
	f.remove("c")
	f.apply(Delivery[pod]{}, f.deltas(delta.Updated, "again", "c")...)
	f.remove("b")
	got := text(b, 9)
	slices.Sort(got)
	if want := []string{"+c", "-b?", "-c?"}; !slices.Equal(got, want) {
		t.Errorf("the calls are %v, want %v", got, want)
	}
	if n, since := b.Waiting(); n != 0 || since != 0 {
		t.Errorf("%d are pending since %d", n, since)
	}
}

// A resync repeats the objects that have not changed otherwise. One that comes due while another is due or is being
// delivered is left out.
func TestResyncOfCoalescing(t *testing.T) {
	b, _ := newPuller()
	f := newFeed(b)
	f.apply(Delivery[pod]{List: true, Initial: true, Last: true}, f.deltas(delta.Updated, "", "a", "b", "c")...)
	expectCalls(t, b, 1, "+a*")
	f.resync()
	f.resync()
	f.remove("b")
	f.set("c", "d")
	if n, _ := b.Waiting(); n < 6 {
		t.Errorf("%d calls are pending, which is no upper bound", n)
	}
	expectCalls(t, b, 3, "+b*", "+c*", "~a")
	f.resync()
	got := text(b, 9)
	slices.Sort(got)
	if !slices.Equal(got, []string{"+d", "-b?", "~c"}) {
		t.Errorf("then %v", got)
	}
	f.resync()
	got = text(b, 9)
	slices.Sort(got)
	if !slices.Equal(got, []string{"~a", "~c", "~d"}) {
		t.Errorf("after a resync %v", got)
	}
}

// A deletion whose part was removed says so to a busy handler too, unless another part then had the object.
func TestReleasedWhileBusy(t *testing.T) {
	b, _ := newPuller()
	f := newFeed(b)
	part := func(name string, names ...string) {
		f.feeder.AddParts(name)
		f.deliver(Delivery[pod]{Changes: f.feeder.Part(name).Apply(&delta.Batch[types.NamespacedName, pod]{
			Deltas: f.deltas(delta.Updated, "", names...),
		})})
	}
	part("one", "a", "b", "c")
	expectCalls(t, b, 1, "+a")
	f.deliver(Delivery[pod]{Changes: f.feeder.Part("one").End(), Released: true}) // begins to wait
	part("two", "b")
	f.deliver(Delivery[pod]{Changes: f.feeder.Part("two").Apply(&delta.Batch[types.NamespacedName, pod]{
		Deltas: f.deltas(delta.Deleted, "", "b"),
	})})
	got := text(b, 9)
	slices.Sort(got)
	if want := []string{"+b", "+c", "-a!", "-b?", "-c!"}; !slices.Equal(got, want) {
		t.Errorf("the calls are %v, want %v", got, want)
	}
}

// Every object ends in its last state at the handler, and Old is what the handler was notified of, whatever comes
// and however slow the handler is.
func TestCoalescingMirrorsTheStore(t *testing.T) {
	for seed := range uint64(500) {
		rnd := rand.New(rand.NewPCG(seed, 9))
		b, _ := newPuller()
		f := newFeed(b)
		told := map[types.NamespacedName]pod{}
		call := func() bool {
			c, _, ok := b.next()
			if !ok {
				return false
			}
			key := store.KeyOf(c.New)
			had, exists := told[key]
			switch {
			case c.Type == store.Added && exists, c.Type != store.Added && (!exists || had != c.Old):
				t.Fatalf("seed %d: %v of %v, but the handler has %v", seed, c.Type, c.Old, had)
			case c.Type == store.Deleted:
				delete(told, key)
			default:
				told[key] = c.New
			}
			return true
		}
		name := func() string { return fmt.Sprint("pod-", rnd.IntN(200)) }
		for range 200 {
			switch rnd.IntN(8) {
			case 0:
				f.set(name(), name())
			case 1:
				f.remove(name())
			case 2:
				f.apply(Delivery[pod]{}, f.deltas(delta.Updated, fmt.Sprint(rnd.IntN(3)), name(), name())...)
			case 3:
				if rnd.IntN(5) == 0 {
					var names []string
					for range rnd.IntN(300) {
						names = append(names, name())
					}
					f.apply(Delivery[pod]{List: true, Last: true}, f.deltas(delta.Updated, "", names...)...)
				}
			case 4:
				f.resync()
			default:
				for range rnd.IntN(40) {
					call()
				}
			}
			if n, _ := b.Waiting(); n < 0 {
				t.Fatalf("seed %d: %d are pending", seed, n)
			}
		}
		for call() {
		}
		want := map[types.NamespacedName]pod{}
		for obj := range f.s.Reader().All() {
			want[store.KeyOf(obj)] = obj
		}
		if !maps.Equal(told, want) {
			t.Fatalf("seed %d: the handler has %d objects, the store %d", seed, len(told), len(want))
		}
		if n, since := b.Waiting(); n != 0 || since != 0 {
			t.Fatalf("seed %d: %d are pending since %d", seed, n, since)
		}
		if f.set("last"); !b.synced && !call() {
			t.Fatalf("seed %d: nothing more comes", seed)
		}
	}
}

// broken is an inbox with a defect.
type broken struct{ inbox[pod] }

func (broken) Next() (d Delivery[pod], ok bool) { panic("a defect") }

// Only a panic of the handler is contained.
func TestPanicOfAnInboxIsNotContained(t *testing.T) {
	h := New(Config[pod]{Objects: store.ForObjects[pod]().Reader(), OnPanic: func(string, any, []byte) {
		t.Error("it counts as the handler's")
	}})
	l := h.Add(Options[pod]{})
	l.inbox = broken{l.inbox}
	defer func() {
		if v := recover(); v != "a defect" {
			t.Errorf("recovered %v", v)
		}
	}()
	l.drainInbox(t.Context(), nil)
	t.Error("it returned")
}

// Parts that come and go add nothing to what a stuck handler holds.
func TestReleasedObjectsAreBounded(t *testing.T) {
	b, held := newPuller()
	f := newFeed(b)
	f.set("a")
	expectCalls(t, b, 1, "+a")
	for n := range 50 {
		name := fmt.Sprint("part", n)
		f.feeder.AddParts(name)
		f.deliver(Delivery[pod]{Changes: f.feeder.Part(name).Apply(&delta.Batch[types.NamespacedName, pod]{
			Deltas: f.deltas(delta.Updated, "", name),
		})})
		f.deliver(Delivery[pod]{Changes: f.feeder.Part(name).End(), Released: true})
	}
	if n := len(held.pendingDelivery.sourceRemovedKeys); n > 1 {
		t.Errorf("it remembers %d objects that the handler does not know", n)
	}
	expectCalls(t, b, 9)
}
