// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package targets

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// arguments are those of the queries of g, by the names of the indexes.
func arguments(g *Gadget) map[string][]any {
	s := g.Spec
	return map[string][]any{
		"Site": {s.Site}, "Serial": {s.Serial}, "Level": {s.Level}, "Spare": {true}, "Size": {s.Size}, "Rack": {s.Rack},
		"Since": {s.Since.Time}, "Every": {s.Every.Duration}, "Tags": {"a/b"}, "Word": {"a"}, "Label": {"app", "x"},
		"Owner": {types.UID("u1")}, "Controller": {types.UID("u1")}, "Team": {"a"}, "SitePhase": {s.Site, g.Status.Phase},
		"Place": {GadgetPlaceCacheKey{s.Site, s.Zone, s.Rack}}, "Ready": {g.Status.Conditions[0].Status},
		"Secret": {types.NamespacedName{Namespace: "ns1", Name: "s1"}},
		"Backup": {types.NamespacedName{Namespace: "backup", Name: "s1"}},
	}
}

// call calls a method of a lister or a reader.
func call(of any, method string, args ...any) []reflect.Value {
	var in []reflect.Value
	fn := reflect.ValueOf(of).MethodByName(method)
	for i, arg := range args {
		v := reflect.ValueOf(arg)
		if i < fn.Type().NumIn() && v.Kind() == reflect.Struct && v.CanConvert(fn.Type().In(i)) {
			v = v.Convert(fn.Type().In(i)) // keys of targets have the same fields
		}
		in = append(in, v)
	}
	return fn.Call(in)
}

// TestHasAndCount compares HasX and CountX of every index with the objects that its query returns.
func TestHasAndCount(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	var objs []*Gadget
	for i := range 60 {
		objs = append(objs, gadget(r, i))
	}
	cached, found := cachedOf(t, objs), 0
	readers := []GadgetReader{fakeOf(t, objs), managedOf(t, objs, AddGadgetIndexes)}
	check := func(what string, got []reflect.Value, want any) {
		t.Helper()
		if got[0].Interface() != want || len(got) == 2 && !got[1].IsNil() {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	for _, g := range objs[:12] {
		if g.Spec.Since == nil || len(g.Status.Conditions) == 0 {
			continue
		}
		all := arguments(g)
		for method := range reflect.TypeFor[GadgetReader]().Methods() {
			name, isCount := strings.CutPrefix(method.Name, "Count")
			if !isCount {
				continue
			}
			args := all[name]
			if args == nil {
				t.Fatalf("no arguments for %s", method.Name)
			}
			by := "By" + name
			if name == "Serial" {
				by = "BySerialAll"
			}
			n := call(cached, by, args...)[0].Len()
			found += n
			check("client-go's Count"+name, call(cached, "Count"+name, args...), n)
			check("client-go's Has"+name, call(cached, "Has"+name, args...), n > 0)
			for _, reader := range readers {
				in := append([]any{context.Context(t.Context())}, args...)
				check("Count"+name, call(reader, "Count"+name, in...), n)
				check("Has"+name, call(reader, "Has"+name, in...), n > 0)
				in = append(in, client.InNamespace("ns1"))
				inOne := call(reader, by, in...)[0].Len()
				check("Count"+name+" in ns1", call(reader, "Count"+name, in...), inOne)
				check("Has"+name+" in ns1", call(reader, "Has"+name, in...), inOne > 0)
			}
		}
	}
	if found < 100 {
		t.Errorf("all queries found %d objects: they compare too little", found)
	}
}

// Neither method makes deep copies: objects of the manager's cache share their maps.
func TestCountMakesNoDeepCopies(t *testing.T) {
	g := example()
	g.Labels = map[string]string{"a": "b"}
	recorded := &recorder{Reader: managedOf(t, []*Gadget{g}, AddGadgetIndexes).reader}
	reader := NewGadgetReader(recorded)
	if n, err := reader.CountSite(t.Context(), "berlin"); n != 1 || err != nil {
		t.Errorf("CountSite: %d, %v", n, err)
	}
	if ok, err := reader.HasSite(t.Context(), "berlin"); !ok || err != nil {
		t.Errorf("HasSite: %t, %v", ok, err)
	}
	first, second := recorded.lists[0].(*GadgetList), recorded.lists[1].(*GadgetList)
	if reflect.ValueOf(first.Items[0].Labels).Pointer() != reflect.ValueOf(second.Items[0].Labels).Pointer() {
		t.Error("the lists have copies of one object")
	}
}

// recorder records the lists that are read.
type recorder struct {
	client.Reader
	lists []client.ObjectList
}

func (r *recorder) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	r.lists = append(r.lists, list)
	return r.Reader.List(ctx, list, opts...)
}
