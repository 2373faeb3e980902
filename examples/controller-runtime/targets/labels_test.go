// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package targets

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	clientcache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// labelKeys and labelValues are those of random objects. The first key has the second one's text as its value.
var (
	labelKeys   = []string{"a", "app", "example.com/app", "example.com%2Fapp"}
	labelValues = []string{"", "app", "x", "y", "1", "2"}
)

func labeled(r *rand.Rand, i int) *Gadget {
	g := &Gadget{ObjectMeta: metav1.ObjectMeta{
		Namespace: pick(r, "ns1", "ns2"), Name: fmt.Sprintf("g%d", i), ResourceVersion: "1", Labels: map[string]string{},
	}}
	for range r.IntN(4) {
		g.Labels[pick(r, labelKeys...)] = pick(r, labelValues...)
	}
	return g
}

func parse(t *testing.T, text string) labels.Selector {
	t.Helper()
	selector, err := labels.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return selector
}

// inNamespace drops the objects of other namespaces. An empty namespace stands for all.
func inNamespace(all []*Gadget, namespace string) []*Gadget {
	return slices.DeleteFunc(all, func(g *Gadget) bool { return namespace != "" && g.Namespace != namespace })
}

// selectors returns selectors of one and two requirements.
func selectors(t *testing.T) []labels.Selector {
	t.Helper()
	all := []labels.Selector{labels.Everything(), labels.Nothing(), labels.SelectorFromSet(labels.Set{"a": "x", "app": "y"}),
		labels.ValidatedSetSelector{"a": "x"}}
	var each []string
	for _, format := range []string{"%s", "!%s", "%s=x", "%s=", "%s!=x", "%s in (x,y)", "%s in (x)", "%s notin (x,y)", "%s>1", "%s<2"} {
		for _, key := range labelKeys[:3] {
			each = append(each, fmt.Sprintf(format, key))
		}
	}
	for _, text := range each {
		all = append(all, parse(t, text))
		for _, other := range each {
			all = append(all, parse(t, text+","+other))
		}
	}
	return all
}

// TestLabels asks random objects for labels and selectors in all targets, and compares the answers.
func TestLabels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var objs []*Gadget
	for i := range 60 {
		objs = append(objs, labeled(r, i))
	}
	cached, err := NewGadgetCacheLister(NewGadgetCacheIndexer(objs...))
	if err != nil {
		t.Fatal(err)
	}
	a := answers{t: t, native: nativeOf(objs), cached: cached,
		readers: []GadgetReader{fakeOf(t, objs), managedOf(t, objs, AddGadgetIndexes)}}
	ctx, found := t.Context(), 0
	for _, namespace := range []string{"", "ns1"} {
		in := client.InNamespace(namespace)
		for _, key := range labelKeys {
			if namespace == "" && key != labelKeys[3] { // the last is no label key, so no selector can have it
				found += a.compare("ByLabelKey "+key, a.native.List(parse(t, key)), a.cached.ByLabelKey(key),
					func(r GadgetReader) ([]*Gadget, error) { return r.ByLabelKey(ctx, key) })
			}
			for _, value := range labelValues {
				want := inNamespace(slices.Collect(a.native.ByLabel(key, value)), namespace)
				found += a.compare("ByLabel "+key, slices.Values(want), a.cached.ByLabelInNamespace(namespace, key, value),
					func(r GadgetReader) ([]*Gadget, error) { return r.ByLabel(ctx, key, value, in) })
				for _, r := range a.readers {
					if n, err := r.CountLabel(ctx, key, value, in); n != len(want) || err != nil {
						t.Errorf("CountLabel of %s=%s in %q: %d, %v; want %d", key, value, namespace, n, err, len(want))
					}
				}
				if n := a.cached.CountLabel(key, value); namespace == "" && n != len(want) {
					t.Errorf("CountLabel of %s=%s: %d, want %d", key, value, n, len(want))
				}
			}
		}
		for _, selector := range selectors(t) {
			want := inNamespace(slices.Collect(a.native.List(selector)), namespace)
			cached, err := a.cached.ListInNamespace(namespace, selector)
			if err != nil {
				t.Fatal(err)
			}
			found += a.compare("List "+selector.String()+" in "+namespace, slices.Values(want), cached,
				func(r GadgetReader) ([]*Gadget, error) { return r.List(ctx, selector, in) })
			if namespace == "" {
				cached, err = a.cached.List(selector)
				if got := keysOf(slices.Values(cached)); err != nil || !slices.Equal(got, keysOf(slices.Values(want))) {
					t.Errorf("List %s: %q, %v", selector, got, err)
				}
			}
		}
	}
	if found < 8_000 {
		t.Errorf("all queries found %d objects: they compare too little", found)
	}
}

// counted counts the objects that are compared with a selector.
type counted struct {
	labels.Selector
	compared *int
}

func (c counted) Matches(of labels.Labels) bool {
	*c.compared++
	return c.Selector.Matches(of)
}

// List compares only objects that have a label which the selector requires. In client-go's cache it is the label that
// the fewest objects have.
func TestListReadsTheIndex(t *testing.T) {
	var objs []*Gadget
	for i := range 20 {
		g := &Gadget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: fmt.Sprint(i), ResourceVersion: "1",
			Labels: map[string]string{"most": "x"}}}
		if i < 5 {
			g.Labels["few"] = fmt.Sprint(i)
		}
		objs = append(objs, g)
	}
	cached, managed := cachedOf(t, objs), managedOf(t, objs, AddGadgetIndexes)
	for _, test := range []struct {
		selector     string
		found        int
		inCache      int
		inController int
	}{
		{"few=1", 1, 1, 1},
		{"few", 5, 5, 5},
		{"few in (1,2)", 2, 5, 5},
		{"few=1,most", 1, 1, 1},
		{"few=1,most=x", 1, 1, 20}, // controller-runtime's cache cannot say which are fewer
		{"few!=1", 19, 20, 20},
		{"none", 0, 0, 0},
	} {
		n := 0
		selector := counted{parse(t, test.selector), &n}
		got, err := cached.List(selector)
		if err != nil || len(got) != test.found || n != test.inCache {
			t.Errorf("client-go, %s: found %d, compared %d, %v; want %+v", test.selector, len(got), n, err, test)
		}
		n = 0
		got, err = managed.List(context.Background(), selector)
		if err != nil || len(got) != test.found || n != test.inController {
			t.Errorf("controller-runtime, %s: found %d, compared %d, %v; want %+v", test.selector, len(got), n, err, test)
		}
	}
}

// An Indexer for tests has the objects and all indexes. AddGadgetCacheIndexes adds those that an Indexer lacks.
func TestCacheIndexers(t *testing.T) {
	g := example()
	made := NewGadgetCacheIndexer(g)
	if _, err := NewGadgetCacheLister(made); err != nil {
		t.Error(err)
	}
	if keys, err := made.IndexKeys(GadgetBySiteIndex, "berlin"); err != nil || !slices.Equal(keys, []string{"ns/a"}) {
		t.Errorf("%s berlin: %q, %v", GadgetBySiteIndex, keys, err)
	}
	if keys, err := made.IndexKeys(clientcache.NamespaceIndex, "ns"); err != nil || !slices.Equal(keys, []string{"ns/a"}) {
		t.Errorf("in namespace ns: %q, %v", keys, err)
	}

	x := clientcache.NewIndexer(clientcache.MetaNamespaceKeyFunc, clientcache.Indexers{
		GadgetBySiteIndex: GadgetIndexers()[GadgetBySiteIndex],
		"own":             func(any) ([]string, error) { return []string{"key"}, nil },
	})
	if err := x.Add(g); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := AddGadgetCacheIndexes(x); err != nil {
			t.Fatal(err)
		}
	}
	gadgets, err := NewGadgetCacheLister(x)
	if err != nil {
		t.Fatal(err)
	}
	if got := gadgets.BySerialAll(""); !slices.Equal(got, []*Gadget{g}) {
		t.Errorf("an index of objects that were there: %v", got)
	}
	if keys, err := x.IndexKeys("own", "key"); err != nil || len(keys) != 1 {
		t.Errorf("the index that was there: %q, %v", keys, err)
	}
}
