// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clash

import (
	"iter"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// TestNames compiles, above all: the queries have the names that follow from the
// fields, whatever those are called.
func TestNames(t *testing.T) {
	readers := NewReaderIndexer()
	readers.Set(&Reader{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "r"},
		Spec: ReaderSpec{
			Type: "type", Range: "range", String: "string", Append: "append", Iter: "iter", L: "l",
			Dst: []string{"dst"}, Reader: "reader", Namespace: "namespace", ÄÖÜ: "äöü",
			Rs: []Nested{{"r1", []string{"d1"}}, {"r2", []string{"d2"}}},
			Is: []Nested{{Type: "i1"}},
		},
	})
	for query, seq := range map[string]iter.Seq[*Reader]{
		"ByType":      readers.ByType("type"),
		"ByRange":     readers.ByRange("range"),
		"ByString":    readers.ByString("string"),
		"ByAppend":    readers.ByAppend("append"),
		"ByIter":      readers.ByIter("iter"),
		"ByL":         readers.ByL("l"),
		"ByDst":       readers.ByDst("dst"),
		"ByReader":    readers.ByReader("reader"),
		"ByNamespace": readers.ByNamespace("namespace"),
		"ByÄÖÜ":       readers.ByÄÖÜ("äöü"),
		"ByNested":    readers.ByNested(ReaderNestedKey{RsType: "r2", IsType: "i1", Dst: "d2"}),
		"ByNames":     readers.ByNames(ReaderNamesKey{Name: "r", Reader: "reader", SpecType: "type", RsType: "r1"}),
	} {
		n := 0
		for range seq {
			n++
		}
		if n != 1 {
			t.Errorf("%s yields %d readers, want 1", query, n)
		}
	}
	for range readers.ByNested(ReaderNestedKey{RsType: "r1", IsType: "i1", Dst: "d2"}) {
		t.Error("ByNested takes the list of another element")
	}
	if _, ok := readers.Lookup(types.NamespacedName{Namespace: "ns", Name: "r"}); !ok {
		t.Error("the reader is not found by its key")
	}
	f := NewInformers(InformerSources{})
	if f.EndpointObjects().Resource() != EndpointObjectsResource ||
		f.EndpointsObjects().Resource() != EndpointsObjectsResource {
		t.Error("the two informers with one plural are mixed up")
	}
	_, _ = schema, store
}

// TestSpelling asks what the emitted variables with names that are easily spelled badly
// have been filled from.
func TestSpelling(t *testing.T) {
	host := &Host{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "ns", Name: "h", Labels: map[string]string{"app": "label"}, Annotations: map[string]string{"app": "annotation"},
		},
		Spec: HostSpec{
			URLs: []string{"u1", "u2"}, IPv4: "10.0.0.1", IDs: map[string]string{"node-id": "n", "id": "i"},
			Interfaces: []Nested{{Type: "bridge"}}, Rules: []Nested{{Type: "a"}, {Type: "b"}},
			Default: HostDefault{Rules: []Nested{{Type: "c"}}},
			Cells: map[string][]string{
				"row": {"c1", "c2"},
			}, Deep: map[string]map[string]map[string]string{"a": {"b": {"c": "d"}}},
		},
	}
	hosts := NewHostIndexer()
	if err := hosts.Set(host); err != nil {
		t.Fatal(err)
	}
	for query, seq := range map[string]iter.Seq[*Host]{
		"ByURLs":      hosts.ByURLs("u2"),
		"ByIPv4":      hosts.ByIPv4("10.0.0.1"),
		"ByInterface": hosts.ByInterface("bridge"),
		"ByRule":      hosts.ByRule("b", "c"),
		"ByCell":      hosts.ByCell("c2"),
		"ByDeep":      hosts.ByDeep("d"),
		"ByApps":      hosts.ByApps(HostAppsKey{LabelsApp: "label", AnnotationsApp: "annotation", NodeID: "n"}),
	} {
		n := 0
		for range seq {
			n++
		}
		if n != 1 {
			t.Errorf("%s yields %d hosts, want 1", query, n)
		}
	}
	want := []HostAppsKey{{LabelsApp: "label", AnnotationsApp: "annotation", NodeID: "n"}}
	if got := IndexHostByApps(nil, host); !slices.Equal(got, want) {
		t.Errorf("the keys are %+v, want %+v", got, want)
	}
}

// TestWithoutIndexes asks a type that has a lister and no index of its own, by
// namespace and by key.
func TestWithoutIndexes(t *testing.T) {
	stores := NewStoreIndexer()
	for _, namespace := range []string{"a", "b"} {
		if err := stores.Set(&Store{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "s"}}); err != nil {
			t.Fatal(err)
		}
	}
	before := stores.Snapshot()
	stores.Delete(types.NamespacedName{Namespace: "a", Name: "s"})
	for namespace, want := range map[string][2]int{"a": {0, 1}, "b": {1, 1}, "c": {0, 0}} {
		var got [2]int
		for range stores.Namespace(namespace).All() {
			got[0]++
		}
		for s := range before.Namespace(namespace).All() {
			if s.Namespace != namespace {
				t.Errorf("namespace %s yields %s/%s", namespace, s.Namespace, s.Name)
			}
			got[1]++
		}
		if got != want {
			t.Errorf("namespace %s has %d, and had %d; want %v", namespace, got[0], got[1], want)
		}
	}
	if _, err := stores.Get("b", "s"); err != nil {
		t.Error(err)
	}
}
