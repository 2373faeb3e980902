// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sharding"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// bare has only the accessors that the runtime needs; the others panic.
type bare struct {
	metav1.Object
	key     types.NamespacedName
	uid     types.UID
	version string
	state   string
}

func (b *bare) GetNamespace() string       { return b.key.Namespace }
func (b *bare) GetName() string            { return b.key.Name }
func (b *bare) GetUID() types.UID          { return b.uid }
func (b *bare) GetResourceVersion() string { return b.version }

var errMalformed = errors.New("malformed")

// convert does what the label v says.
func convert(o *object) (*bare, error) {
	switch o.Labels["v"] {
	case "drop":
		return nil, source.ErrDrop
	case "keep":
		return nil, source.ErrKeep
	case "fail":
		return nil, errMalformed
	case "panic":
		panic("in the conversion")
	}
	return &bare{
		key: keyOf(o), uid: o.UID, version: o.ResourceVersion, state: o.Labels["v"] + "@" + o.ResourceVersion,
	}, nil
}

// converted is the model of a cache behind convert.
type converted map[string]string

// sees applies one state of an object. stale objects have a mark.
func (c converted) sees(o *object) {
	was, held := c[o.Name]
	b, err := func() (b *bare, err error) {
		defer func() {
			if recover() != nil {
				err = errMalformed
			}
		}()
		return convert(o)
	}()
	switch {
	case err == nil:
		c[o.Name] = b.state
	case errors.Is(err, source.ErrDrop):
		delete(c, o.Name)
	case errors.Is(err, errMalformed) && held && was[0] != '!':
		c[o.Name] = "!" + was
	case errors.Is(err, source.ErrKeep) && held && was[0] == '!':
		c[o.Name] = was[1:]
	}
}

// lists replaces the content by a list.
func (c converted) lists(objects map[string]*object) {
	maps.DeleteFunc(c, func(name, _ string) bool { return objects[name] == nil })
	for _, o := range objects {
		c.sees(o)
	}
}

// read returns the content of a store in the form of the model.
func (converted) read(r store.Reader[types.NamespacedName, *bare]) converted {
	out := converted{}
	for b := range r.All() {
		if out[b.key.Name] = b.state; r.Stale(b.key) {
			out[b.key.Name] = "!" + b.state
		}
	}
	return out
}

// The cache of a converted source is the one that the model says, after random histories of writes,
// missed changes and relists.
func TestConvertedSourceOverRandomHistories(t *testing.T) {
	for seed := range uint64(60) {
		synctest.Test(t, func(t *testing.T) { convertedHistory(t, rand.New(rand.NewPCG(seed, 1))) })
	}
}

func convertedHistory(t *testing.T, rnd *rand.Rand) {
	srv := runtimetest.NewServer[*object]()
	srv.NoWatchList = rnd.IntN(2) == 0
	objects, model := map[string]*object{}, converted{}
	var version string
	write := func() {
		name := fmt.Sprint("o", rnd.IntN(6))
		if o := objects[name]; o != nil && rnd.IntN(4) == 0 {
			srv.Delete("ns", name)
			version = srv.ResourceVersion()
			delete(objects, name)
			return
		}
		verdicts := []string{"a", "b", "drop", "keep", "fail", "panic"}
		o := widget(name, "v", verdicts[rnd.IntN(len(verdicts))])
		version = srv.Set(o)
		o = o.DeepCopy()
		o.ResourceVersion, o.UID = version, "u"
		objects[name] = o
	}
	for range rnd.IntN(6) {
		write()
	}
	src := source.Map(srv.Source(), convert)
	inf := informer.New(widgets, src, store.ForObjects[*bare](), informer.WithErrorHandler(func(error) {}))
	mirror := converted{}
	inf.AddEventHandler(informer.HandlerFuncs[*bare]{
		AddFunc:    func(b *bare, _ bool) { mirror[b.key.Name] = b.state },
		UpdateFunc: func(_, b *bare) { mirror[b.key.Name] = b.state },
		DeleteFunc: func(d informer.Tombstone[*bare]) { delete(mirror, d.Key.Name) },
	})
	start(t, inf)
	synctest.Wait()
	model.lists(objects)
	var steps []string
	check := func(step string) {
		t.Helper()
		steps = append(steps, step)
		if got := model.read(inf.Store().Reader()); !maps.Equal(got, model) {
			t.Fatalf("after %v: the store has %v instead of %v", steps, got, model)
		}
		told := converted{}
		for name, state := range model {
			told[name] = map[bool]string{true: state, false: state[1:]}[state[0] != '!']
		}
		if !maps.Equal(mirror, told) {
			t.Fatalf("after %v: the handler has %v instead of %v", steps, mirror, told)
		}
		if version == "" {
			return
		}
		if err := inf.Store().Reader().WaitFor(t.Context(), version); err != nil {
			t.Fatalf("after %v: the store has not reached %s: %v", steps, version, err)
		}
	}
	check("the first list")
	for range 40 {
		if rnd.IntN(6) > 0 {
			before := maps.Clone(objects)
			write()
			synctest.Wait()
			for name, o := range objects {
				if before[name] != o {
					model.sees(o)
				}
			}
			for name := range before {
				if objects[name] == nil {
					delete(model, name)
				}
			}
			check(version)
			continue
		}
		srv.Fail(runtimetest.TooManyRequests(1)) // until all is written
		srv.CutWatches(nil)
		synctest.Wait()
		for range rnd.IntN(5) {
			write()
		}
		srv.Skip(1)
		srv.Compact()
		time.Sleep(time.Minute)
		synctest.Wait()
		model.lists(objects)
		check("a relist")
	}
}

// Each namespace and each shard of a converted source is read on its own.
func TestConvertedSourceOfSeveralParts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		for _, ns := range []string{"a", "b", "c"} {
			for _, verdict := range []string{"stored", "drop", "keep"} {
				o := widget(verdict, "v", verdict)
				o.Namespace = ns
				srv.Set(o)
			}
		}
		namespaces := source.NewNamespaces("a")
		src := source.Map(source.ForEach(namespaces, srv.In), convert)
		inf := informer.New(widgets, src, store.ForObjects[*bare]())
		start(t, inf)
		synctest.Wait()
		expectKeys(t, inf, "a/stored")
		if err := namespaces.Replace(t.Context(), "b", "c"); err != nil {
			t.Fatal(err)
		}
		expectKeys(t, inf, "b/stored", "c/stored")

		if !sharding.Supported() {
			return // shards need a newer apimachinery
		}
		var halves []shard.Range
		for i := range 2 {
			half, err := shard.Of(i, 2)
			if err != nil {
				t.Fatal(err)
			}
			halves = append(halves, half)
		}
		sharded := source.Map(shard.Source(srv.Source(), shard.NewSet(halves...)), convert)
		inf = informer.New(widgets, sharded, store.ForObjects[*bare]())
		start(t, inf)
		synctest.Wait()
		expectKeys(t, inf, "a/stored", "b/stored", "c/stored")
	})
}

func expectKeys(t *testing.T, inf *informer.Informer[*bare], want ...string) {
	t.Helper()
	var got []string
	for key := range inf.Store().Reader().Keys() {
		got = append(got, key.String())
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the store has %v instead of %v; last error %v", got, want, inf.LastError())
	}
}
