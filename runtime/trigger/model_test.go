// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package trigger_test

import (
	"context"
	"flag"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/trigger"
)

var changes = flag.Int("changes", 4_000, "how many random changes the model test makes")

type (
	object = metav1.PartialObjectMetadata
	key    = trigger.Key
)

// kind is a type of objects with a server, an informer, and a handler that is called late.
type kind struct {
	*informer.Informer[*object]
	server *runtimetest.Server[*object]
	gate   chan struct{} // a handler receives from it before each call
	now    map[key]*object
}

func newKind(at int) *kind {
	k := &kind{server: runtimetest.NewServer[*object](), gate: make(chan struct{}), now: map[key]*object{}}
	gvr := schema.GroupVersionResource{Group: "lab.dev", Version: "v1", Resource: fmt.Sprintf("kind%d", at)}
	k.Informer = informer.New(gvr, k.server.Source(), store.ForObjects[*object]())
	return k
}

// AddEventHandler delays the calls of the handler until the test lets them go on.
func (k *kind) AddEventHandler(
	h informer.Handler[*object], opts ...informer.HandlerOption,
) *informer.Registration {
	return k.Informer.AddEventHandler(late{h, k.gate}, opts...)
}

type late struct {
	h    informer.Handler[*object]
	gate chan struct{}
}

func (l late) OnAdd(obj *object, initial bool) { <-l.gate; l.h.OnAdd(obj, initial) }
func (l late) OnUpdate(old, obj *object)       { <-l.gate; l.h.OnUpdate(old, obj) }
func (l late) OnDelete(t informer.Tombstone[*object]) {
	<-l.gate
	l.h.OnDelete(t)
}

// link is an edge of the random graph, and how the model follows it from the objects at its end.
type link struct {
	shape    string // On, OnRefs or OnShared
	from     *kind
	name     string // of the annotation with the references
	compared string // the annotation that Changed compares, or ""
	next     []*link
	by       func(value key) iter.Seq[*object] // of the objects with a value in that annotation
}

// model is a random graph of edges to objects of the first kind.
type model struct {
	rng     *rand.Rand
	kinds   []*kind
	trigger *trigger.Trigger[*object]
	root    link
	links   []*link
	body    chan struct{} // some loop bodies receive from it
}

func newModel(rng *rand.Rand) *model {
	m := &model{rng: rng, body: make(chan struct{})}
	for i := range 5 {
		m.kinds = append(m.kinds, newKind(i))
	}
	m.trigger = trigger.For[*object](m.kinds[0])
	m.root = link{from: m.kinds[0]}
	m.grow(m.trigger, &m.root, 1)
	return m
}

// grow adds edges that lead to a target.
func (m *model) grow(to trigger.Target[*object], at *link, hop int) {
	for range 1 + m.rng.IntN(2) {
		l := &link{from: m.kinds[m.rng.IntN(len(m.kinds))], name: fmt.Sprintf("r%d", len(m.links))}
		m.links = append(m.links, l)
		at.next = append(at.next, l)
		refs := func(dst []key, obj *object) []key { return append(dst, values(obj, l.name)...) }
		index := func(k *kind) func(key) iter.Seq[*object] {
			ix := store.AddIndex(k.Store(), l.name, refs)
			return func(value key) iter.Seq[*object] { return ix.Get(k.Store().Reader(), value) }
		}
		var e *trigger.Edge[*object, *object]
		switch m.rng.IntN(3) {
		case 0:
			l.shape = "On"
			e = trigger.On(to, l.from, refs, index(at.from))
		case 1:
			l.shape = "OnRefs"
			l.by = index(l.from)
			e = trigger.OnRefs(to, l.from, refs)
		default:
			l.shape = "OnShared"
			l.by = index(l.from)
			targets := l.by
			if at.from != l.from {
				targets = index(at.from)
			}
			e = trigger.OnShared(to, l.from, refs, refs, targets)
		}
		if m.rng.IntN(2) == 0 {
			l.compared = "a"
			e.Changed(func(old, new *object) bool { return old.Annotations["a"] != new.Annotations["a"] })
		}
		if hop < 3 {
			m.grow(e, l, hop+1)
		}
	}
}

func values(obj *object, name string) (keys []key) {
	for _, ref := range strings.Fields(obj.Annotations[name]) {
		namespace, name, _ := strings.Cut(ref, "/")
		keys = append(keys, key{Namespace: namespace, Name: name})
	}
	return keys
}

// read returns all that a reconciler reads to which the links at l lead from obj.
func (m *model) read(l *link, k key, obj *object, out *strings.Builder) {
	for _, next := range l.next {
		fmt.Fprintf(out, " %s(", next.name)
		switch next.shape {
		case "On":
			for _, ref := range values(obj, next.name) {
				m.visit(next, ref, out)
			}
		case "OnRefs":
			m.visitAll(next, []key{k}, out)
		default:
			m.visitAll(next, values(obj, next.name), out)
		}
		out.WriteString(")")
	}
}

func (m *model) visitAll(l *link, values []key, out *strings.Builder) {
	var found []key
	for _, value := range values {
		for s := range l.by(value) {
			found = append(found, store.KeyOf(s))
		}
	}
	slices.SortFunc(found, func(a, b key) int { return strings.Compare(a.String(), b.String()) })
	for _, k := range slices.Compact(found) {
		m.visit(l, k, out)
	}
}

// visit reads one object, and what it leads to.
func (m *model) visit(l *link, k key, out *strings.Builder) {
	s, ok := l.from.Store().Reader().Get(k)
	if !ok {
		fmt.Fprintf(out, " %v is missing", k)
		return
	}
	state := s.ResourceVersion
	if l.compared != "" {
		state = s.Annotations[l.compared]
	}
	fmt.Fprintf(out, " %v=%s/%s", k, s.UID, state)
	m.read(l, k, s, out)
}

// wanted returns what a reconciler would read now for a key.
func (m *model) wanted(k key) string {
	obj, ok := m.kinds[0].Store().Reader().Get(k)
	if !ok {
		return "gone"
	}
	var out strings.Builder
	out.WriteString(obj.ResourceVersion)
	m.read(&m.root, k, obj, &out)
	return out.String()
}

func (m *model) randomKey() key {
	return key{Namespace: fmt.Sprintf("n%d", m.rng.IntN(2)), Name: fmt.Sprintf("o%d", m.rng.IntN(6))}
}

// change makes a random change of a random object.
func (m *model) change() {
	k := m.kinds[m.rng.IntN(len(m.kinds))]
	at := m.randomKey()
	now, exists := k.now[at]
	if exists && m.rng.IntN(4) == 0 {
		k.server.Delete(at.Namespace, at.Name)
		delete(k.now, at)
		if m.rng.IntN(2) == 0 {
			return // otherwise it is created again, with another UID
		}
		exists = false
	}
	obj := &object{}
	obj.Namespace, obj.Name = at.Namespace, at.Name
	if exists {
		obj = now.DeepCopy()
	} else {
		obj.UID = types.UID(fmt.Sprint(m.rng.Uint64()))
	}
	if obj.Annotations == nil {
		obj.Annotations = map[string]string{}
	}
	for range 1 + m.rng.IntN(3) {
		if m.rng.IntN(4) == 0 {
			obj.Annotations["a"] = fmt.Sprint(m.rng.IntN(100))
			continue
		}
		var refs []string
		for range m.rng.IntN(3) {
			refs = append(refs, m.randomKey().String())
		}
		obj.Annotations[m.links[m.rng.IntN(len(m.links))].name] = strings.Join(refs, " ")
	}
	k.server.Set(obj)
	k.now[at] = obj
}

// gates are what handlers and loop bodies wait for.
func (m *model) gates() []chan struct{} {
	gates := []chan struct{}{m.body}
	for _, k := range m.kinds {
		gates = append(gates, k.gate)
	}
	return gates
}

// deliver lets some handlers be called, or some loop bodies end.
func (m *model) deliver(gates []chan struct{}) {
	for range m.rng.IntN(20) {
		select {
		case gates[m.rng.IntN(len(gates))] <- struct{}{}:
		default:
		}
	}
}

// settle lets all handlers be called, and all loop bodies end.
func settle(gates []chan struct{}) {
	for more := true; more; {
		synctest.Wait()
		more = false
		for _, gate := range gates {
			select {
			case gate <- struct{}{}:
				more = true
			default:
			}
		}
	}
}

// TestReconcilersMissNothing compares what a reconciler read when it was last called for a key
// with what it would read now, for random graphs and changes. Handlers of different informers are
// called at random times.
func TestReconcilersMissNothing(t *testing.T) {
	const perGraph = 1_000
	yielded, needed := 0, 0
	for graph := range *changes / perGraph {
		rng := rand.New(rand.NewPCG(uint64(graph), 1))
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			m := newModel(rng)
			gates := m.gates()
			var running sync.WaitGroup
			for _, k := range m.kinds {
				running.Go(func() { _ = k.Run(ctx) })
			}
			var mu sync.Mutex
			read := map[key]string{}
			busy := map[key]bool{} // in a loop body
			loop := func() {
				for k := range m.trigger.Keys(ctx) {
					mu.Lock()
					if busy[k] {
						t.Errorf("%v is in two loop bodies", k)
					}
					busy[k] = true
					now := m.wanted(k)
					yielded++
					if read[k] != now {
						needed++
					}
					read[k] = now
					slow := yielded%3 == 0
					mu.Unlock()
					if slow {
						<-m.body
					}
					mu.Lock()
					busy[k] = false
					mu.Unlock()
				}
			}
			running.Go(loop)
			running.Go(loop)
			for i := range perGraph {
				m.change()
				if rng.IntN(3) == 0 {
					synctest.Wait()
					m.deliver(gates)
				}
				if i%10 > 0 {
					continue
				}
				settle(gates)
				for k := range m.kinds[0].now {
					if want := m.wanted(k); read[k] != want {
						t.Fatalf("graph %d, change %d: %v was last reconciled with\n%s\nand would read\n%s\n%v",
							graph, i, k, read[k], want, m.trigger.Stats())
					}
				}
			}
			stop()
			for _, gate := range gates {
				close(gate)
			}
			running.Wait()
		})
	}
	t.Logf("%d keys yielded, %d of them with a change that the reconciler reads", yielded, needed)
}
