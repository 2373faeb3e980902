// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// withSeeds runs a random test with several seeds, or with few if tests are short, each in its own bubble.
// kind makes the random numbers of one test differ from those of another.
func withSeeds(t *testing.T, several, few, kind uint64, test func(t *testing.T, rnd *rand.Rand)) {
	t.Helper()
	if testing.Short() {
		several = few
	}
	for seed := range several {
		synctest.Test(t, func(t *testing.T) { test(t, rand.New(rand.NewPCG(seed, kind))) })
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// tardy is a source that takes its time before each object that exists, and the like before
// each change.
type tardy struct {
	source.ListerWatcher[*object]
	delay time.Duration
}

// someDelay returns how slow a source is to be; most are not.
func someDelay(rnd *rand.Rand) time.Duration {
	return time.Duration(max(0, rnd.IntN(8)-4)) * time.Millisecond
}

func (s tardy) List(
	ctx context.Context,
	opts metav1.ListOptions,
	each func(source.Delta[*object], error) error,
) (metav1.ListMeta, error) {
	return s.ListerWatcher.List(ctx, opts, func(item source.Delta[*object], err error) error {
		time.Sleep(s.delay)
		return each(item, err)
	})
}

func (s tardy) Watch(ctx context.Context, opts metav1.ListOptions, each sourcetest.Sender[*object]) error {
	return s.ListerWatcher.Watch(ctx, opts, func(d source.Delta[*object], version string, err error) error {
		time.Sleep(s.delay)
		return each(d, version, err)
	})
}

// mirrors are the handlers of a random test, which come and go, and do in their calls what
// they may.
type mirrors struct {
	t   *testing.T
	inf *informer.Informer[*object]

	disordered bool // versions say nothing

	mu  sync.Mutex
	rnd *rand.Rand
	all []*actor
}

func newMirrors(t *testing.T, rnd *rand.Rand, inf *informer.Informer[*object]) *mirrors {
	return &mirrors{t: t, inf: inf, rnd: rand.New(rand.NewPCG(rnd.Uint64(), 3))}
}

// number returns a random one.
func (ms *mirrors) number(n int) int {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	return ms.rnd.IntN(n)
}

// actor is one of them: a mirror that may do anything in its calls.
type actor struct {
	mirror
	among  *mirrors
	resync bool

	began chan struct{} // closed when the rest is set
	reg   *informer.Registration

	state struct {
		sync.Mutex
		removed  bool // it is being removed
		over     bool // no call may begin
		repeated int  // calls that told nothing new
	}
}

// add adds one of any kind.
func (ms *mirrors) add() {
	a := &actor{among: ms, began: make(chan struct{})}
	opts := []informer.HandlerOption{informer.WithBuffer(1 + ms.number(5))}
	kind := "lossless"
	if a.coalesce = ms.number(2) == 0; a.coalesce {
		opts, kind = []informer.HandlerOption{informer.WithCoalescing()}, "coalescing"
	}
	if ms.number(3) == 0 {
		a.slow = time.Duration(ms.number(5)) * time.Millisecond
	}
	if a.resync = ms.number(4) == 0; a.resync {
		opts, kind = append(
			opts,
			informer.WithResync(time.Duration(10+ms.number(50))*time.Millisecond),
		), kind+" resynced"
	}
	ms.mu.Lock()
	a.mirror = mirror{
		t:        ms.t,
		name:     fmt.Sprint(kind, " ", len(ms.all)),
		coalesce: a.coalesce,
		slow:     a.slow,
		objects:  map[types.NamespacedName]*object{},
	}
	ms.all = append(ms.all, a)
	ms.mu.Unlock()
	defer close(a.began)
	a.reg = ms.inf.AddEventHandler(a, opts...)
}

// remove removes one of them.
func (ms *mirrors) remove() {
	if a := ms.any(); a != nil {
		a.remove()
	}
}

func (ms *mirrors) any() *actor {
	ms.mu.Lock()
	defer ms.mu.Unlock()
	if len(ms.all) == 0 {
		return nil
	}
	return ms.all[ms.rnd.IntN(len(ms.all))]
}

func (a *actor) remove() {
	<-a.began
	a.markRemoved()
	a.reg.Remove()
}

func (a *actor) markRemoved() {
	a.state.Lock()
	defer a.state.Unlock()
	a.state.removed = true
}

// end notes that no call may begin any more.
func (a *actor) end() {
	a.state.Lock()
	defer a.state.Unlock()
	a.state.removed, a.state.over = true, true
}

func (a *actor) note(repeats bool) {
	a.state.Lock()
	defer a.state.Unlock()
	if a.state.over {
		a.t.Errorf("%s is told something after its removal", a.name)
	}
	if repeats {
		a.state.repeated++
	}
}

func (a *actor) OnAdd(o *object, initial bool) {
	a.note(false)
	a.isKnown(o)
	a.mirror.OnAdd(o, initial)
	a.act()
}

func (a *actor) OnUpdate(old, new *object) {
	a.note(old == new)
	a.isKnown(new)
	a.mirror.OnUpdate(old, new)
	a.act()
}

func (a *actor) OnDelete(d informer.Tombstone[*object]) {
	a.note(false)
	a.mirror.OnDelete(d)
	a.act()
}

// isKnown fails the test if the store has an older state of an object than a handler got.
func (a *actor) isKnown(o *object) {
	if a.among.disordered {
		return
	}
	held, ok := a.among.inf.Store().Reader().Get(keyOf(o))
	if !ok || held.Namespace != o.Namespace {
		return
	}
	was, err := strconv.Atoi(held.ResourceVersion)
	is, odd := strconv.Atoi(o.ResourceVersion)
	if err != nil || odd != nil || held.UID == o.UID && was < is {
		a.t.Errorf(
			"%s is told of %s@%s, and the store has %s",
			a.name,
			o.Name,
			o.ResourceVersion,
			held.ResourceVersion,
		)
	}
}

// act does, now and then, one of the things that a handler may do in its call.
func (a *actor) act() {
	<-a.began
	ms := a.among
	switch ms.number(80) {
	case 0:
		if ms.number(3) == 0 { // or there would be more and more
			ms.add()
		}
	case 1:
		a.remove()
		a.end()
	case 2:
		a.markRemoved()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
		defer cancel()
		if err := a.reg.RemoveWait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			a.t.Errorf("%s: RemoveWait in its own call: %v", a.name, err)
		}
		a.end()
	case 3:
		other := ms.any()
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
		defer cancel()
		if <-other.began; other != a {
			other.markRemoved()
			if other.reg.RemoveWait(ctx) == nil {
				other.end()
			}
		}
	case 4:
		panic("a handler may panic")
	case 5:
		_ = ms.inf.Stats()
	case 6:
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
		defer cancel()
		if err := a.reg.WaitForSync(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) &&
			!errors.Is(err, informer.ErrRemoved) {
			a.t.Errorf("%s: WaitForSync in its own call: %v", a.name, err)
		}
	}
}

// agree compares those that are left with the store. Nothing but resyncs may be going on.
func (ms *mirrors) agree() {
	synctest.Wait()
	ms.mu.Lock()
	all := ms.all
	ms.mu.Unlock()
	live := ms.inf.Store().Reader()
	for _, a := range all {
		<-a.began
		a.state.Lock()
		removed, repeated := a.state.removed, a.state.repeated
		a.state.Unlock()
		if removed {
			continue
		}
		if !a.reg.HasSynced() {
			ms.t.Errorf("%s has not synced", a.name)
		}
		if a.resync != (repeated > 0) && live.Len() > 0 {
			ms.t.Errorf("%s was told %d calls again, wants resyncs: %v", a.name, repeated, a.resync)
		}
		a.mu.Lock()
		if len(a.objects) != live.Len() {
			ms.t.Errorf("%s has %d objects, the store %d", a.name, len(a.objects), live.Len())
		}
		for o := range live.All() {
			if a.objects[keyOf(o)] != o {
				ms.t.Errorf("%s has not got %s", a.name, keyOf(o))
			}
		}
		a.mu.Unlock()
	}
}
