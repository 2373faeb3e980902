// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package differential

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

// faults are the statuses that end watches and refuse requests.
var faults = []struct {
	name string
	err  error
}{
	{"in good order", nil},
	{"connection reset", errReset},
	{"410 Gone", runtimetest.Expired()},
	{"429 Too Many Requests", runtimetest.TooManyRequests(2)},
	{"500 Internal Server Error", apierrors.NewInternalError(errors.New("no idea"))},
	{"503 Service Unavailable", &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: http.StatusServiceUnavailable, Reason: metav1.StatusReasonServiceUnavailable, Message: "busy",
	}}},
	{
		"403 Forbidden",
		runtimetest.Forbidden("watch", metav1.SchemeGroupVersion.WithResource("things").GroupResource()),
	},
}

// handler is one that both informers have.
type handler struct {
	theirs, ours *journal
	remove       func()
	resyncs      bool // it wants them
	aligned      bool // it was added to both at the same point of the server's history, or long ago
}

// world has both informers, each with a server of its own.
type world struct {
	forTheirs, forOurs *server
	theirs             *theirs
	ours               *ours
	merged             map[string]*journal // of handlers of ours that coalesce
	handlers           []*handler
	removed            map[*journal]int
	resync             time.Duration // between resyncs; 0: there are none
	tally              *tally
}

// tally counts comparisons.
type tally struct {
	streams, steps, rests, same, outcomes, calls, repetitions, resynced, replaced, requestsTheirs, requestsOurs int
}

func (t *tally) plus(o tally) {
	t.streams += o.streams
	t.steps += o.steps
	t.rests += o.rests
	t.same += o.same
	t.outcomes += o.outcomes
	t.calls += o.calls
	t.repetitions += o.repetitions
	t.resynced += o.resynced
	t.replaced += o.replaced
	t.requestsTheirs += o.requestsTheirs
	t.requestsOurs += o.requestsOurs
}

func (t tally) String() string {
	return fmt.Sprintf("%d streams of %d steps, at rest %d times: stores, indexes and soundness compared each time; "+
		"histories of %d spans between are the same call by call (%d calls), those of %d spans, in which the two have not read the same lists, in their outcome; "+
		"%d repetitions by resyncs while idle; %d other repetitions and %d updates to another object "+
		"by client-go alone; %d requests of client-go, %d of ours",
		t.streams, t.steps, t.rests, t.same, t.calls, t.outcomes, t.resynced, t.repetitions, t.replaced, t.requestsTheirs, t.requestsOurs)
}

// play runs a script and returns an error if the informers differ.
func play(t *testing.T, s script) (count tally, failed error) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := &world{
			forTheirs: newServer(),
			forOurs:   newServer(),
			removed:   make(map[*journal]int),
			tally:     &count,
		}
		w.resync = time.Duration(s.resync) * time.Second
		w.each(func(srv *server) { srv.streams, srv.cached = s.streams, s.cached })
		for i := range s.objects {
			_ = w.step(step{set, i})
		}
		w.each(func(srv *server) { srv.lag = s.lag })
		for _, step := range s.before {
			_ = w.step(step) // changes and faults, which cannot fail
		}
		w.theirs, w.ours = newTheirs(w.forTheirs, s.streams, w.resync), newOurs(w.forOurs, s.streams)
		w.merged = map[string]*journal{
			"our coalescing handler":      newJournal(),
			"our slow coalescing handler": newJournal(),
		}
		w.merged["our slow coalescing handler"].takes = 2 * time.Second
		for _, j := range w.merged {
			w.ours.handle(j, informer.WithCoalescing(), informer.WithResync(w.resync))
		}
		w.enter(true)
		go w.theirs.run(ctx)
		go w.ours.run(ctx)
		synctest.Wait()
		for i, step := range append(slices.Clone(s.steps), step{settle, 0}) {
			count.steps++
			if err := w.step(step); err != nil {
				failed = fmt.Errorf("step %d, %s: %w", i, step, err)
				break
			}
			synctest.Wait()
		}
		cancel()
		<-w.theirs.ended
		<-w.ours.ended
		count.streams++
		count.requestsTheirs, count.requestsOurs = w.forTheirs.requests, w.forOurs.requests
	})
	return count, failed
}

// each does the same to both servers.
func (w *world) each(f func(*server)) {
	for _, s := range []*server{w.forTheirs, w.forOurs} {
		s.do(func() { f(s) })
	}
}

func (w *world) step(s step) error {
	switch s.verb {
	case set, remove, recreate:
		w.each(func(srv *server) { srv.change(s.verb, s.n) })
	case bookmark:
		w.each(func(srv *server) { srv.bookmarks++ })
	case skip:
		w.each(func(srv *server) { srv.version += s.n })
	case compact:
		w.each(func(srv *server) { srv.compacted = srv.version })
	case cut:
		w.each(func(srv *server) { srv.cuts++; srv.cutWith = faults[s.n].err })
	case fail:
		w.each(func(srv *server) { srv.failures = append(srv.failures, faults[s.n].err) })
	case leave, back:
		w.each(func(srv *server) { srv.away = s.verb == leave })
	case unmark:
		w.each(func(srv *server) { srv.unmarked = s.n })
	case expire:
		w.each(func(srv *server) { srv.expiring = s.n })
	case streaming:
		w.each(func(srv *server) { srv.streams = s.n == 1 })
	case wait:
		time.Sleep(time.Duration(s.n) * time.Second)
	case enter:
		w.enter(s.n == 1)
	case exit:
		w.exit()
	case settle:
		return w.settle()
	}
	return nil
}

// change writes to one object.
func (s *server) change(verb string, n int) {
	name := fmt.Sprint("thing-", n)
	var old *object
	for _, obj := range s.state(len(s.history)) {
		if obj.Name == name {
			old = obj
		}
	}
	write := func(typ watch.EventType, uid types.UID) {
		s.version++
		obj := &object{ObjectMeta: metav1.ObjectMeta{
			Namespace: "ns", Name: name, UID: uid, ResourceVersion: strconv.Itoa(s.version),
			Labels: map[string]string{
				"color": strconv.Itoa(s.version % 3),
				"other": strconv.Itoa(s.version % 4),
			},
		}}
		if typ == watch.Deleted {
			obj.Labels = old.Labels
		}
		s.history = append(s.history, writeOf(s.version, typ, obj))
	}
	fresh := types.UID(fmt.Sprintf("%s-%d", name, s.version+1))
	switch {
	case verb == set && old == nil:
		write(watch.Added, fresh)
	case verb == set:
		write(watch.Modified, old.UID)
	case verb == remove && old != nil:
		write(watch.Deleted, old.UID)
	case verb == recreate && old != nil:
		write(watch.Deleted, old.UID)
		write(watch.Added, fresh)
	}
}

func writeOf(version int, typ watch.EventType, obj *object) write { return write{version, typ, obj} }

func (w *world) enter(resyncs bool) {
	h := &handler{
		theirs:  newJournal(),
		ours:    newJournal(),
		aligned: w.forTheirs.position() == w.forOurs.position(),
	}
	h.resyncs = resyncs && w.resync > 0
	var period time.Duration
	if h.resyncs {
		period = w.resync
	}
	theirs, ours := w.theirs.handle(h.theirs, period), w.ours.handle(h.ours, informer.WithResync(period))
	h.remove = func() { theirs(); ours() }
	w.handlers = append(w.handlers, h)
}

func (s *server) position() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sent
}

// exit removes the handler that was added last, but never the first.
func (w *world) exit() {
	if len(w.handlers) == 1 {
		return
	}
	h := w.handlers[len(w.handlers)-1]
	w.handlers = w.handlers[:len(w.handlers)-1]
	h.remove()
	synctest.Wait()
	w.removed[h.theirs], w.removed[h.ours] = h.theirs.count, h.ours.count
}

// rest ends all faults, waits until both informers are idle, and compares them.
func (w *world) settle() error {
	w.each(func(s *server) {
		s.away, s.failures, s.unmarked, s.expiring, s.lag = false, nil, 0, 0, 0
	})
	for tries := 0; ; tries++ {
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if w.rests() {
			time.Sleep(time.Minute) // for the slow handler
			wrong := w.repeats()
			synctest.Wait()
			if w.rests() { // still: a watch may have ended meanwhile, and met compacted history
				if wrong != nil {
					return wrong
				}
				break
			}
		}
		if tries == 10 {
			return fmt.Errorf(
				"not at rest after 20 minutes: client-go %v, ours %v (%w)",
				w.forTheirs.rests(),
				w.forOurs.rests(),
				w.ours.LastError(),
			)
		}
	}
	w.each(func(s *server) { s.bookmarks++ })
	synctest.Wait()
	return w.compare()
}

// rests reports whether both informers are connected and have received every event.
func (w *world) rests() bool {
	theirs, ours := w.forTheirs.rests(), w.forOurs.rests()
	return theirs && ours
}

// repeats lets some resync periods pass while idle. Each handler with a resync period must get every
// object again, and other handlers none.
func (w *world) repeats() error {
	if w.resync == 0 {
		return nil
	}
	const periods = 3 // client-go may let nearly two pass
	journals := make(map[*journal]string)
	for who, j := range w.merged {
		journals[j] = who
	}
	for n, h := range w.handlers {
		journals[h.theirs], journals[h.ours] = fmt.Sprintf(
			"handler %d of client-go",
			n,
		), fmt.Sprintf(
			"handler %d of ours",
			n,
		)
	}
	before := make(map[*journal]map[string]int, len(journals))
	for j := range journals {
		before[j] = j.repetitions()
	}
	time.Sleep(periods * w.resync)
	synctest.Wait()
	objs := w.forOurs.state(len(w.forOurs.history))
	for j, who := range journals {
		wanted := true
		for _, h := range w.handlers {
			wanted = wanted && (h.resyncs || h.theirs != j && h.ours != j)
		}
		after := j.repetitions()
		for _, obj := range objs {
			n := after[obj.Name] - before[j][obj.Name]
			if wanted != (n > 0) || n > periods+1 {
				return fmt.Errorf(
					"%s got %s %d times in %d resync periods; has a resync period: %v",
					who,
					obj.Name,
					n,
					periods,
					wanted,
				)
			}
			w.tally.resynced += n
		}
	}
	return nil
}

func (w *world) compare() error {
	w.tally.rests++
	exist := states(w.forOurs.state(len(w.forOurs.history)))
	theirs, ours := states(w.theirs.objects()), states(w.ours.objects())
	if !maps.Equal(theirs, exist) || !maps.Equal(ours, exist) {
		return fmt.Errorf("the server has\n\t%v\nclient-go's store\n\t%v\nours\n\t%v", exist, theirs, ours)
	}
	for _, color := range []string{"0", "1", "2", "3"} {
		if a, b := states(w.theirs.byColor(color)), states(w.ours.byColor(color)); !maps.Equal(a, b) {
			return fmt.Errorf("under color %s client-go's index has\n\t%v\nours\n\t%v", color, a, b)
		}
	}
	version := strconv.Itoa(w.forOurs.version)
	if a, b := w.theirs.LastSyncResourceVersion(), w.ours.Store().Reader().ResourceVersion(); a != version ||
		b != version {
		return fmt.Errorf("the server is at %s, client-go at %s, ours at %s", version, a, b)
	}
	for j, count := range w.removed {
		if j.count != count {
			return errors.New("a handler was called after it had been removed")
		}
	}
	for who, j := range w.merged {
		calls, _ := j.take()
		if err := j.check(calls, exist); err != nil {
			return fmt.Errorf("%s: %w (%+v)", who, err, w.ours.Stats().Handlers)
		}
	}
	same := slices.Equal(w.forTheirs.readings, w.forOurs.readings)
	w.each(func(s *server) { s.readings = nil })
	for n, h := range w.handlers {
		a, replaced := h.theirs.take()
		b, ourReplaced := h.ours.take()
		if err := h.theirs.check(a, exist); err != nil {
			return fmt.Errorf("handler %d of client-go: %w", n, err)
		}
		if err := h.ours.check(b, exist); err != nil {
			return fmt.Errorf("handler %d of ours: %w", n, err)
		}
		a, repetitions := withoutRepetitions(a)
		b, ourRepetitions := withoutRepetitions(b)
		w.tally.replaced += replaced
		if !h.resyncs {
			w.tally.repetitions += repetitions
		}
		if ourReplaced > 0 || ourRepetitions > 0 && !h.resyncs {
			return fmt.Errorf(
				"handler %d: ours sent an update to another object, or %d repetitions without a resync period",
				n,
				ourRepetitions,
			)
		}
		if !same || !h.aligned {
			h.aligned = true
			w.tally.outcomes++
			continue
		}
		w.tally.same++
		for _, calls := range b {
			w.tally.calls += len(calls)
		}
		if d := difference(a, b); d != "" {
			return fmt.Errorf("handler %d: %s", n, d)
		}
	}
	return nil
}

func states(objs []*object) map[string]state {
	m := make(map[string]state, len(objs))
	for _, obj := range objs {
		m[obj.Name] = stateOf(obj)
	}
	return m
}
