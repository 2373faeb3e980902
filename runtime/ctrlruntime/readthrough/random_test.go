// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package readthrough_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/readthrough"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// state is one state in the history of a name.
type state struct {
	version string // of an object that exists
	uid     types.UID
	value   string
	exists  bool
}

// model is the truth: what the objects were and are, and which state of each a handler has seen.
type model struct {
	mu      sync.Mutex
	states  map[string][]state
	handled map[string]int
}

// at returns the index of the state with the version.
func (m *model) at(name, version string) int {
	return slices.IndexFunc(m.states[name], func(s state) bool { return s.exists && s.version == version })
}

func (m *model) seen(name string, index int) { m.handled[name] = max(m.handled[name], index) }

func (m *model) handler() informer.HandlerFuncs[*readthrough.Metadata] {
	see := func(obj *readthrough.Metadata) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.seen(obj.Name, m.at(obj.Name, obj.ResourceVersion))
	}
	return informer.HandlerFuncs[*readthrough.Metadata]{
		AddFunc:    func(obj *readthrough.Metadata, _ bool) { see(obj) },
		UpdateFunc: func(_, obj *readthrough.Metadata) { see(obj) },
		DeleteFunc: func(t informer.Tombstone[*readthrough.Metadata]) {
			m.mu.Lock()
			defer m.mu.Unlock()
			after := m.at(t.Key.Name, t.LastSeen.ResourceVersion)
			gone := slices.IndexFunc(m.states[t.Key.Name][after:], func(s state) bool { return !s.exists })
			m.seen(t.Key.Name, after+gone)
		},
	}
}

// replicas are two API servers, one of which lags behind. Requests meet either of them, and faults.
type replicas struct {
	all    []*runtimetest.Server[*secret] // the first one is the leader
	mu     sync.Mutex
	rnd    *rand.Rand
	faulty bool
}

func (r *replicas) says(n int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rnd.IntN(n)
}

// meet returns the server of a request, or its fault. Only the leader knows the latest version. It also serves
// version 0, because an informer that lists an older state goes back in time.
func (r *replicas) meet(ctx context.Context, version string) (*runtimetest.Server[*secret], error) {
	r.mu.Lock()
	faulty := r.faulty
	r.mu.Unlock()
	if faulty {
		time.Sleep(time.Duration(r.says(4)*r.says(20)) * time.Millisecond)
		gr := secrets.GroupResource()
		faults := []error{
			runtimetest.Forbidden("list", gr), runtimetest.TooManyRequests(0), runtimetest.TooLarge(),
			apierrors.NewInternalError(errors.New("x")), apierrors.NewNotFound(gr, ""), errors.New("cut"),
		}
		if n := r.says(40); n < len(faults) {
			return nil, faults[n]
		} else if n == len(faults) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
	}
	if version == "" || version == "0" || !faulty {
		return r.all[0], nil
	}
	return r.all[r.says(len(r.all))], nil
}

func (r *replicas) List(
	ctx context.Context, opts metav1.ListOptions, each func(source.Delta[*secret], error) error,
) (metav1.ListMeta, error) {
	s, err := r.meet(ctx, opts.ResourceVersion)
	if err != nil {
		return metav1.ListMeta{}, err
	}
	defer func() { time.Sleep(time.Duration(r.says(3)) * time.Millisecond) }() // on the way back
	return s.List(ctx, opts, each)
}

func (r *replicas) Watch(
	ctx context.Context, opts metav1.ListOptions, each sourcetest.Sender[*secret],
) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	s, err := r.meet(ctx, opts.ResourceVersion)
	if err != nil {
		return err
	}
	return s.Watch(ctx, opts, func(d source.Delta[*secret], version string, err error) error {
		time.Sleep(time.Duration(r.says(4)) * time.Millisecond)
		return each(d, version, err)
	})
}

// history writes a random history of four objects, which the second server gets late.
type history struct {
	*model
	*replicas
	late chan func(*runtimetest.Server[*secret])
}

func (h *history) write(name string) {
	h.model.mu.Lock()
	states := h.states[name]
	before := states[len(states)-1]
	h.model.mu.Unlock()
	if before.exists && h.says(3) == 0 {
		h.apply(name, state{}, func(s *runtimetest.Server[*secret]) string { s.Delete("ns", name); return "" })
		return
	}
	value := fmt.Sprint(h.says(1 << 30))
	h.apply(name, state{value: value, exists: true}, func(s *runtimetest.Server[*secret]) string {
		return s.Set(newSecret(name, value))
	})
}

func (h *history) apply(name string, next state, write func(*runtimetest.Server[*secret]) string) {
	h.model.mu.Lock() // so that no reader sees a state that the model does not have
	defer h.model.mu.Unlock()
	before := h.states[name][len(h.states[name])-1]
	if next.version = write(h.all[0]); next.exists {
		next.uid = before.uid
		if !before.exists {
			next.uid = types.UID(next.version + "-uid")
		}
	}
	h.states[name] = append(h.states[name], next)
	h.late <- func(s *runtimetest.Server[*secret]) { write(s) }
}

// read calls Get and compares the result with the states that it may be.
func (h *history) read(
	t *testing.T, c *readthrough.Cache[*readthrough.Metadata, *secret], now store.Reader[types.NamespacedName, *readthrough.Metadata],
	name string,
) string {
	patience := 15 * time.Second
	if h.says(3) == 0 {
		patience = time.Duration(h.says(30)) * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	h.model.mu.Lock()
	least := h.handled[name]
	h.model.mu.Unlock()
	got, err := c.Get(ctx, keyOf(name))
	held, exists := now.Get(keyOf(name))
	h.model.mu.Lock()
	defer h.model.mu.Unlock()
	states := h.states[name]
	most := len(states) - 1 // the state of the watch
	for !exists && states[most].exists {
		most--
	}
	if exists {
		most = h.at(name, held.ResourceVersion)
	}
	switch {
	case apierrors.IsNotFound(err):
		if !slices.ContainsFunc(states[least:most+1], func(s state) bool { return !s.exists }) {
			t.Errorf("%s is not found, though it existed from state %d to %d of %+v", name, least, most, states)
		}
		return "not found"
	case err != nil:
		return "error"
	}
	at := h.at(name, got.ResourceVersion)
	switch {
	case at < least:
		t.Errorf("%s is in state %d, after an event of state %d of %+v", name, at, least, states)
	case states[at].uid != got.UID || states[at].value != got.Annotations["value"]:
		t.Errorf("%s is %v and not state %d of %+v", name, got, at, states)
	case !slices.ContainsFunc(states[least:most+1], func(s state) bool { return s.uid == got.UID }):
		t.Errorf("%s has UID %s, but the watch was at states %d to %d of %+v", name, got.UID, least, most, states)
	}
	return "body"
}

func TestRandomHistories(t *testing.T) {
	seeds := 60
	if testing.Short() {
		seeds = 10
	}
	outcomes := map[string]int{}
	for seed := range seeds {
		synctest.Test(t, func(t *testing.T) { testHistory(t, uint64(seed), outcomes) })
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Log(outcomes)
	if outcomes["body"] < 100*seeds || outcomes["not found"] < 10*seeds || outcomes["error"] < seeds {
		t.Errorf("the histories are too tame: %v", outcomes)
	}
}

func testHistory(t *testing.T, seed uint64, outcomes map[string]int) {
	names := []string{"a", "b", "c", "d"}
	h := &history{
		model: &model{states: map[string][]state{}, handled: map[string]int{}},
		replicas: &replicas{
			all:    []*runtimetest.Server[*secret]{runtimetest.NewServer[*secret](), runtimetest.NewServer[*secret]()},
			rnd:    rand.New(rand.NewPCG(seed, 37)),
			faulty: true,
		},
		late: make(chan func(*runtimetest.Server[*secret]), 10_000),
	}
	for _, name := range names {
		h.states[name] = []state{{}}
	}
	watch := informer.New(secrets, source.Map(source.Source[*secret]{ListerWatcher: h}, metadataOf),
		store.ForObjects[*readthrough.Metadata]())
	watch.AddEventHandler(h.handler())
	bodies := &reads{ListerWatcher: h}
	cache := readthrough.New(watch, func(string) source.Source[*secret] { return source.Source[*secret]{ListerWatcher: bodies} }, int64(200+h.says(2000)))

	var lagging, running, reading sync.WaitGroup
	lagging.Go(func() {
		for write := range h.late {
			time.Sleep(time.Duration(h.says(10)) * time.Millisecond)
			write(h.all[1])
		}
	})
	runUntil := func(ctx context.Context) {
		running.Go(func() {
			if err := watch.Run(ctx); err != nil {
				t.Error(err)
			}
		})
	}
	ctx, stop := context.WithCancel(t.Context())
	runUntil(ctx)
	var mu sync.Mutex
	for range 4 {
		reading.Go(func() {
			for range 60 {
				outcome := h.read(t, cache, watch.Store().Reader(), names[h.says(len(names))])
				mu.Lock()
				outcomes[outcome]++
				mu.Unlock()
				time.Sleep(time.Duration(h.says(20)) * time.Millisecond)
			}
		})
	}
	for n := range 300 {
		h.write(names[h.says(len(names))])
		time.Sleep(time.Duration(h.says(8)*h.says(8)) * time.Millisecond)
		switch h.says(60) {
		case 0:
			h.all[h.says(2)].CutWatches(nil)
		case 1:
			h.all[h.says(2)].Compact()
		case 2:
			if n%3 == 0 {
				stop()
				running.Wait()
				ctx, stop = context.WithCancel(t.Context())
				runUntil(ctx)
			}
		}
	}
	reading.Wait()
	h.replicas.mu.Lock()
	h.faulty = false
	h.replicas.mu.Unlock()
	if err := watch.WaitFor(t.Context(), h.all[0].ResourceVersion()); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	converged(t, h, cache, bodies, names)
	for _, name := range names {
		h.all[0].Delete("ns", name)
	}
	version := h.all[0].ResourceVersion()
	if err := watch.WaitFor(t.Context(), version); err != nil {
		t.Fatal(err)
	}
	synctest.Wait()
	if n, _ := cache.Held(); n > 0 {
		t.Errorf("%d bodies of deleted objects are held", n)
	}
	stop()
	close(h.late)
	running.Wait()
	lagging.Wait()
	time.Sleep(time.Minute) // canceled requests end
}

// converged checks that Get returns the last states, and that bodies that are held cost no request.
func converged(
	t *testing.T, h *history, c *readthrough.Cache[*readthrough.Metadata, *secret], bodies *reads, names []string,
) {
	for _, name := range names {
		last := h.states[name][len(h.states[name])-1]
		got, err := c.Get(t.Context(), keyOf(name))
		if last.exists && (err != nil || got.Annotations["value"] != last.value) ||
			!last.exists && !apierrors.IsNotFound(err) {
			t.Errorf("at last %s is %v, %v; want %+v", name, got, err, last)
		}
		n, _ := c.Held()
		before := bodies.count()
		_, _ = c.Get(t.Context(), keyOf(name))
		if n > 0 && bodies.count() > before {
			t.Errorf("%s cost a request, though nothing changed", name)
		}
	}
}
