// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/types"
)

// mirror is a handler that keeps the objects of its calls, and fails the test if a call does not fit
// the calls before it.
type mirror struct {
	t        *testing.T
	name     string
	coalesce bool
	slow     time.Duration

	mu      sync.Mutex
	objects map[types.NamespacedName]*object
}

func keyOf(o *object) types.NamespacedName {
	return types.NamespacedName{Namespace: o.Namespace, Name: o.Name}
}

func (m *mirror) lock() func() {
	time.Sleep(m.slow)
	m.mu.Lock()
	return m.mu.Unlock
}

func (m *mirror) OnAdd(o *object, _ bool) {
	defer m.lock()()
	if old, ok := m.objects[keyOf(o)]; ok {
		m.t.Errorf("%s: added %s@%s twice; had %s", m.name, o.Name, o.ResourceVersion, old.ResourceVersion)
	}
	m.objects[keyOf(o)] = o
}

func (m *mirror) OnUpdate(old, new *object) {
	defer m.lock()()
	if was := m.objects[keyOf(new)]; was != old {
		m.t.Errorf(
			"%s: update of %s from %s to %s, was told %v",
			m.name,
			new.Name,
			old.ResourceVersion,
			new.ResourceVersion,
			was,
		)
	}
	if old.UID != new.UID && old.UID != "" && new.UID != "" {
		m.t.Errorf("%s: an update makes another object of %s", m.name, new.Name)
	}
	m.objects[keyOf(new)] = new
}

func (m *mirror) OnDelete(d informer.Tombstone[*object]) {
	defer m.lock()()
	was, ok := m.objects[d.Key]
	if !ok || was != d.LastSeen || was.UID != d.Object.UID && was.UID != "" && d.Object.UID != "" {
		m.t.Errorf("%s: deleted %s, was told %v", m.name, d.Key, was)
	}
	delete(m.objects, d.Key)
}

// TestMirror has handlers of all kinds come and go at random while the server writes,
// cuts, forgets, fails and the informer is stopped and run again: each handler must be
// told what leads to what the server has, by steps that fit.
func TestMirror(t *testing.T) {
	withSeeds(t, 100, 10, 1, mirrored)
}

func mirrored(t *testing.T, rnd *rand.Rand) {
	srv := runtimetest.NewServer[*object]()
	srv.NoWatchList = rnd.IntN(2) == 0
	inf := newInformer(
		tardy{srv.In(""), someDelay(rnd)},
		informer.WithBatchSize(1+rnd.IntN(4)),
		informer.WithErrorHandler(func(error) { time.Sleep(time.Millisecond) }),
		informer.WithReflector(reflector.Settings{
			PageSize: int64(rnd.IntN(5)), Backoff: reflector.Backoff{Initial: time.Millisecond, Max: 10 * time.Millisecond},
		}),
	)
	store.AddIndex(inf.Store(), "odd", func(dst []string, o *object) []string {
		if strings.HasSuffix(o.Labels["v"], "7") {
			panic("an error between store and handlers, for as long as which the one is ahead of the others")
		}
		return dst
	})
	all := newMirrors(t, rnd, inf)
	for range rnd.IntN(20) {
		srv.Set(widget(fmt.Sprint("w", rnd.IntN(6))))
	}
	stop := start(t, inf)
	for range 150 {
		name := fmt.Sprint("w", rnd.IntN(6))
		switch rnd.IntN(24) {
		case 0:
			srv.CutWatches(nil)
		case 1:
			srv.CutWatches(io.ErrUnexpectedEOF)
		case 2:
			srv.Compact()
		case 3:
			srv.Compact()
			srv.CutWatches(nil)
		case 4:
			srv.Fail(runtimetest.TooManyRequests(0), runtimetest.Expired())
		case 5:
			stop()
			stop = start(t, inf)
		case 6, 7:
			all.add()
		case 8:
			all.remove()
		case 9:
			srv.Bookmark()
		case 10, 11:
			time.Sleep(time.Duration(rnd.IntN(20)) * time.Millisecond)
		case 12, 13:
			synctest.Wait()
		case 14, 15, 16, 17:
			srv.Delete("ns", name)
		default:
			srv.Set(widget(name, "v", fmt.Sprint(rnd.IntN(100))))
		}
	}
	all.add()
	time.Sleep(20 * time.Second)
	all.agree()
	stop()
	if live := inf.Store().Reader(); live.ResourceVersion() != srv.ResourceVersion() {
		t.Errorf("the store is at %s, the server at %s", live.ResourceVersion(), srv.ResourceVersion())
	}
}
