// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// puller ranges over changes on a goroutine of its own and writes each batch down as
// "[+a* +b*]!", as a recorder would its changes, with ! for Synced.
type puller struct {
	recorder
	err  error
	done chan struct{}
}

func pull(
	ctx context.Context,
	inf *informer.Informer[*object],
	p *puller,
	opts ...informer.HandlerOption,
) *puller {
	p.done = make(chan struct{})
	go func() {
		defer close(p.done)
		for b, err := range inf.Changes(ctx, opts...) {
			if err != nil {
				if p.err = err; b.Len() != 0 || b.Synced() {
					p.note("a batch came with the error")
				}
				continue // it must be the last
			}
			p.note(describe(b))
		}
	}()
	return p
}

func describe(b informer.Batch[*object]) string {
	r := &recorder{}
	n := 0
	for c := range b.All() {
		notify(r, c)
		n++
	}
	for range b.All() { // a second time, and left
		break
	}
	text := "[" + r.got() + "]"
	if b.Synced() {
		text += "!"
	}
	if n != b.Len() {
		text += fmt.Sprintf(" has length %d", b.Len())
	}
	return text
}

func TestChanges(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		srv.Set(widget("b"))
		inf := newInformer(srv)
		early := pull(t.Context(), inf, &puller{}, opts...)
		expect(t, &early.recorder, "")
		start(t, inf)
		expect(t, &early.recorder, "[+a* +b*]!")
		late := pull(t.Context(), inf, &puller{}, append(opts, informer.WithResync(time.Hour))...)
		synctest.Wait()
		if got := late.got(); got != "[+a* +b*]!" && got != "[+b* +a*]!" {
			t.Errorf("late got %q", got)
		}
		srv.Set(widget("c"))
		expect(t, &early.recorder, "[+c]")
		srv.Set(widget("a", "v", "2"))
		expect(t, &early.recorder, "[~a2]")
		srv.Delete("ns", "b")
		expect(t, &early.recorder, "[-b]")
		expect(t, &late.recorder, "[+c] [~a2] [-b]")
		time.Sleep(time.Hour)
		synctest.Wait()
		if got := late.got(); got != "[~a2 ~c]" && got != "[~c ~a2]" {
			t.Errorf("a resync was told as %q", got)
		}
		expect(t, &early.recorder, "")
	})
}

// TestChangesHaveOldAndTombstones: each change says what a handler's call would.
func TestChangesHaveOldAndTombstones(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a", "v", "1"))
		inf := newInformer(srv)
		var got []informer.Change[*object]
		go func() {
			for b := range inf.Changes(t.Context()) {
				got = slices.AppendSeq(got, b.All())
			}
		}()
		start(t, inf)
		synctest.Wait()
		srv.Set(widget("a", "v", "2"))
		synctest.Wait()
		srv.Delete("ns", "a")
		synctest.Wait()
		key := store.KeyOf(widget("a"))
		if len(got) != 3 || got[0].Type != informer.Added || !got[0].InInitialList || got[0].Old != nil || tag(got[0].Object) != "a1" || got[0].Key() != key ||
			got[1].Type != informer.Updated || got[1].Old != got[0].Object || tag(got[1].Object) != "a2" || got[1].InInitialList ||
			got[2].Type != informer.Deleted ||
			got[2].Old != got[1].Object ||
			tag(got[2].Object) != "a2" ||
			got[2].FinalStateUnknown {
			t.Fatalf("got %+v", got)
		}
		if text := fmt.Sprint(got[0].Type, got[1].Type, got[2].Type, informer.ChangeType(9)); text != "added updated deleted ChangeType(9)" {
			t.Errorf("got %s", text)
		}
	})
}

// TestChangesOfAnEmptyStore: an empty batch completes the initial list of an empty store.
func TestChangesOfAnEmptyStore(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		inf := newInformer(runtimetest.NewServer[*object]())
		early := pull(t.Context(), inf, &puller{}, opts...)
		start(t, inf)
		expect(t, &early.recorder, "[]!")
		late := pull(t.Context(), inf, &puller{}, opts...)
		expect(t, &late.recorder, "[]!")
	})
}

// TestChangesAreAtomic: after each batch the loop has seen a state of the store. Here all objects of
// such a state have the same label.
func TestChangesAreAtomic(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		names := []string{"a", "b", "c"}
		round := func(v string) (objs []*object) {
			for _, name := range names {
				o := widget(name, "v", v)
				o.ResourceVersion = v
				objs = append(objs, o)
			}
			return objs
		}
		src := (&runtimetest.Script[*object]{NoWatchList: true})
		for v := range 20 { // each a list, and so a batch of the store
			src.Lists(runtimetest.Objects(fmt.Sprint(100+v), round(fmt.Sprint(100+v))...))
			src.Watches(
				runtimetest.Stream(
					runtimetest.Sleep[*object](time.Minute),
					runtimetest.Break[*object](runtimetest.Expired()),
				),
			)
		}
		inf := newInformer(src)
		hold := make(chan struct{})
		seen, batches := map[string]string{}, 0
		go func() {
			for b, err := range inf.Changes(t.Context(), opts...) {
				if err != nil {
					return
				}
				for c := range b.All() {
					seen[c.Object.Name] = c.Object.Labels["v"]
				}
				batches++
				if len(seen) != 3 || seen["a"] != seen["b"] || seen["b"] != seen["c"] {
					t.Errorf("after a batch: %v", seen)
				}
				<-hold
			}
		}()
		start(t, inf)
		for range 20 {
			time.Sleep(30 * time.Second)
			select {
			case hold <- struct{}{}:
			default:
			}
		}
		close(hold)
		time.Sleep(time.Hour)
		synctest.Wait()
		if seen["a"] != "119" || batches < 2 {
			t.Errorf("%d batches, the last of round %s", batches, seen["a"])
		}
	})
}

// TestChangesBackPressure: a lossless consumer that keeps a batch holds the informer up,
// one that coalesces gets the outcome.
func TestChangesBackPressure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		inf := newInformer(srv, informer.WithBatchSize(2))
		slow := pull(
			t.Context(),
			inf,
			&puller{recorder: recorder{hold: make(chan struct{})}},
			informer.WithBuffer(3),
			informer.WithHandlerName("slow"),
		)
		lazy := pull(
			t.Context(),
			inf,
			&puller{recorder: recorder{hold: make(chan struct{})}},
			informer.WithCoalescing(),
			informer.WithHandlerName("lazy"),
		)
		fast := &recorder{}
		inf.AddEventHandler(fast)
		start(t, inf)
		synctest.Wait()
		slow.hold <- struct{}{} // the empty initial list
		lazy.hold <- struct{}{}
		for i := range 100 {
			srv.Set(widget("a", "v", fmt.Sprint(i)))
			synctest.Wait()
		}
		if n := len(strings.Fields(fast.got())); n < 4 || n > 6 {
			t.Errorf("%d changes went past a consumer that blocks with a buffer of 3", n)
		}
		for _, h := range inf.Stats().Handlers {
			if h.Name == "slow" && (h.Pending < 4 || h.Pending > 6) || h.Name == "lazy" && h.Pending != 2 ||
				h.Calling != 0 {
				t.Errorf("got %+v", h)
			}
		}
		close(slow.hold)
		synctest.Wait()
		if got := strings.Fields(slow.got()); len(got) != 101 || !strings.HasSuffix(got[100], "~a99]") {
			t.Errorf("the slow consumer was told %d batches", len(got))
		}
		close(lazy.hold)
		expect(t, &lazy.recorder, "[]! [+a0] [~a99]")
	})
}

// TestChangesEnd: the last pair says why.
func TestChangesEnd(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		inf := newInformer(srv)
		cause := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		before := pull(ctx, inf, &puller{}, opts...)
		synctest.Wait()
		cancel(cause)
		<-before.done
		if !errors.Is(before.err, cause) {
			t.Errorf("before the informer ran: %v", before.err)
		}
		stop := start(t, inf)
		during := pull(t.Context(), inf, &puller{}, opts...)
		synctest.Wait()
		stop()
		<-during.done
		var e *informer.Error
		if !errors.Is(during.err, informer.ErrStopped) || !errors.As(during.err, &e) ||
			e.Resource != widgets {
			t.Errorf("when the informer has stopped: %v", during.err)
		}
		after := pull(t.Context(), inf, &puller{}, opts...)
		<-after.done
		if !errors.Is(after.err, informer.ErrStopped) {
			t.Errorf("after the informer has stopped: %v", after.err)
		}
		none := pull(t.Context(), newInformer(nil), &puller{}, opts...)
		<-none.done
		if !errors.Is(none.err, informer.ErrNoSource) {
			t.Errorf("without a source: %v", none.err)
		}
		if n := len(inf.Stats().Handlers); n != 0 {
			t.Errorf("%d consumers are left", n)
		}
	})
}

// TestChangesBreak: leaving a loop, in any way, leaves no goroutine behind and delays no handler.
func TestChangesBreak(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		inf := newInformer(srv, informer.WithBatchSize(1))
		leave := map[string]func(){"break": nil, "panic": func() { panic("mine") }}
		var loops sync.WaitGroup
		proceed := make(chan struct{})
		for name, how := range leave {
			loops.Go(func() {
				defer func() {
					if v := recover(); v != nil && v != "mine" {
						t.Errorf("%s: got %v", name, v)
					}
				}()
				for b, err := range inf.Changes(t.Context(), informer.WithBuffer(1)) {
					if err != nil || describe(b) != "[+a*]!" {
						t.Errorf("%s: got %v, %v", name, describe(b), err)
					}
					<-proceed
					if how != nil {
						how()
					}
					break
				}
			})
		}
		fast := &recorder{}
		inf.AddEventHandler(fast)
		start(t, inf)
		synctest.Wait()
		for i := range 10 {
			srv.Set(widget("a", "v", fmt.Sprint(i)))
			synctest.Wait()
		}
		if n := len(strings.Fields(fast.got())); n > 4 {
			t.Errorf("%d changes went past consumers that block", n)
		}
		close(proceed)
		loops.Wait()
		synctest.Wait()
		if got := strings.Fields(fast.got()); len(got) == 0 || got[len(got)-1] != "~a9" {
			t.Errorf("then %v", got)
		}
		if n := len(inf.Stats().Handlers); n != 1 {
			t.Errorf("%d handlers are left", n)
		}
	})
}

// TestChangesTellALaterRunAnew: each loop starts with the objects in the store, whatever an earlier loop
// got.
func TestChangesTellALaterRunAnew(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		inf := newInformer(srv)
		stop := start(t, inf)
		first := pull(t.Context(), inf, &puller{}, opts...)
		expect(t, &first.recorder, "[+a*]!")
		stop()
		srv.Set(widget("b"))
		srv.Delete("ns", "a")
		start(t, inf)
		synctest.Wait()
		second := pull(t.Context(), inf, &puller{}, opts...)
		synctest.Wait()
		if got := second.got(); got != "[+b*]!" {
			t.Errorf("got %q", got)
		}
	})
}

// notify makes the call of h that corresponds to c.
func notify(h informer.Handler[*object], c informer.Change[*object]) {
	switch c.Type {
	case informer.Added:
		h.OnAdd(c.Object, c.InInitialList)
	case informer.Updated:
		h.OnUpdate(c.Old, c.Object)
	default:
		h.OnDelete(informer.Tombstone[*object]{
			Key: c.Key(), Object: c.Object, Last: c.Old, FinalStateUnknown: c.FinalStateUnknown, Left: c.Left,
		})
	}
}
