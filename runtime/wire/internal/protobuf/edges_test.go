// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package protobuf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type edgeItem struct {
	Name  string `json:"n" protobuf:"bytes,1,opt"`
	Value string `json:"v" protobuf:"bytes,2,opt"`
	From  *int64 `json:"f" protobuf:"varint,3,opt"`
}

type edgeObject struct {
	Name string     `json:"n" protobuf:"bytes,1,opt"`
	List []edgeItem `json:"l" protobuf:"bytes,2,rep"`
}

// field encodes a field of bytes.
func field(number byte, value string) string {
	return string(binary.AppendUvarint([]byte{number<<3 | lengthDelimited}, uint64(len(value)))) + value
}

func decodeEdge[T any](t *testing.T, d *Decoder, data string, held any) (*T, bool) {
	t.Helper()
	m, err := MessageOf(reflect.TypeFor[T](), reflect.TypeFor[T]())
	if err != nil {
		t.Fatal(err)
	}
	obj := new(T)
	same, err := d.Decode(m, []byte(data), obj, held)
	if err != nil {
		t.Error(err)
	}
	return obj, same
}

// Two programs may append to a list that two objects share.
func TestSharedListsHaveNoSpareCapacity(t *testing.T) {
	var list string
	for i := range 13 { // 40 bytes each, which Go rounds up to 14 elements
		list += field(2, field(1, fmt.Sprint("item", i)))
	}
	d := New(nil, true)
	var held any
	for _, name := range []string{"a", "b", "c"} {
		obj, _ := decodeEdge[edgeObject](t, d, field(1, name)+list, held)
		if cap(obj.List) != len(obj.List) {
			t.Errorf("%s: a list of %d elements has room for %d", name, len(obj.List), cap(obj.List))
		}
		held = &edgeObject{List: slicesOf(obj.List)}
	}
}

// slicesOf returns a list that differs from list in its last element.
func slicesOf(list []edgeItem) []edgeItem {
	other := append([]edgeItem(nil), list...)
	other[len(other)-1].Name = "other"
	return other
}

type upper string

func (u *upper) UnmarshalText(text []byte) error {
	*u = upper(bytes.ToUpper(text))
	return nil
}

// A type that decodes itself cannot stand for another type, nor another type for it.
func TestPartsRefuseTypesThatDecodeThemselves(t *testing.T) {
	type whole struct {
		Verbs metav1.Verbs      `json:"v" protobuf:"bytes,1,opt"`
		List  []string          `json:"l" protobuf:"bytes,2,rep"`
		Map   map[string]string `json:"m" protobuf:"bytes,3,rep"`
	}
	type verbs struct {
		Verbs []string `json:"v"`
	}
	type list struct {
		List []upper `json:"l"`
	}
	type values struct {
		Map map[string]upper `json:"m"`
	}
	for _, part := range []reflect.Type{reflect.TypeFor[verbs](), reflect.TypeFor[list](), reflect.TypeFor[values]()} {
		if _, err := MessageOf(part, reflect.TypeFor[whole]()); err == nil {
			t.Errorf("%v is accepted", part)
		}
	}
}

func TestListsOfListsAreRefused(t *testing.T) {
	type lists struct {
		L [][]string `json:"l" protobuf:"bytes,1,rep"`
	}
	type mapped struct {
		M map[string][]string `json:"m" protobuf:"bytes,1,rep"`
	}
	for _, kind := range []reflect.Type{reflect.TypeFor[lists](), reflect.TypeFor[mapped]()} {
		if _, err := MessageOf(kind, kind); err == nil {
			t.Errorf("%v is accepted", kind)
		}
	}
}

func TestSparesAreBounded(t *testing.T) {
	type wide struct {
		S string     `json:"s" protobuf:"bytes,1,opt"`
		W [64]string `json:"-"`
	}
	type object struct {
		L []wide `json:"l" protobuf:"bytes,1,rep"`
	}
	heap := func() int64 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return int64(stats.HeapAlloc)
	}
	d, before := New(nil, true), heap()
	decodeEdge[object](t, d, string(bytes.Repeat([]byte{1<<3 | lengthDelimited, 0}, 20_000)), &object{make([]wide, 1)})
	if kept := (heap() - before) >> 20; kept > 4 {
		t.Errorf("the decoder keeps %d MiB of an object of 20 MiB", kept)
	}
	runtime.KeepAlive(d)
}

// A key is certain if the metadata is read beyond the namespace.
func TestIdentifyIsCertain(t *testing.T) {
	name, namespace, damaged := field(1, "a"), field(3, "ns"), "\x12\x7f"
	for metadata, want := range map[string]string{
		name + namespace:                          "ns/a",
		name + damaged + namespace:                "",
		name + namespace + field(6, "1") + "\x3a": "ns/a",
		name + field(5, "uid") + "\x3a\x7f":       "/a",
	} {
		id, ok := New(nil, false).Identify([]byte(field(1, metadata)))
		got := ""
		if ok {
			got = string(id.Namespace) + "/" + string(id.Name)
		}
		if got != want {
			t.Errorf("the metadata %q has the key %q, want %q", metadata, got, want)
		}
	}
}

func TestFieldsV1OfNullIsNotNil(t *testing.T) {
	_, same := decodeEdge[metav1.ManagedFieldsEntry](t, New(nil, true), field(7, field(1, "null")),
		&metav1.ManagedFieldsEntry{FieldsV1: &metav1.FieldsV1{}})
	if same {
		t.Error("null is taken for none")
	}
}

func TestFieldsThatOccurTwiceBesideAHeldObject(t *testing.T) {
	obj, _ := decodeEdge[edgeObject](t, New(nil, false), field(1, "a")+field(1, "b"), &edgeObject{Name: "a"})
	if obj.Name != "b" {
		t.Errorf("the name is %q", obj.Name)
	}
}

// A map is the held one only if each has the entries of the other.
func TestMapsAreTakenFromTheHeldObject(t *testing.T) {
	type object struct {
		M map[string]int32 `json:"m" protobuf:"bytes,1,rep"`
	}
	entry := func(key string, value byte) string { return field(1, field(1, key)+"\x10"+string(rune(value))) }
	held := map[string]int32{"a": 1, "b": 2}
	for data, want := range map[string]map[string]int32{
		entry("a", 1) + entry("b", 2):                 held,
		entry("b", 2) + entry("a", 1):                 held,
		entry("a", 1):                                 {"a": 1},
		entry("a", 1) + entry("b", 3):                 {"a": 1, "b": 3},
		entry("a", 1) + entry("c", 2):                 {"a": 1, "c": 2},
		entry("a", 1) + entry("b", 2) + entry("c", 3): {"a": 1, "b": 2, "c": 3},
		entry("a", 1) + entry("a", 1):                 {"a": 1},
		field(1, field(1, "a")) + entry("b", 2):       {"a": 0, "b": 2}, // a zero need not be written
	} {
		before := &object{held}
		obj, same := decodeEdge[object](t, New(nil, true), data, before)
		if !maps.Equal(obj.M, want) {
			t.Errorf("%q: got %v, want %v", data, obj.M, want)
		}
		if ascending := data == entry("a", 1)+entry("b", 2); same != ascending {
			t.Errorf("%q: taken from the held object: %v", data, same)
		}
	}
}

type edgeNumbers struct {
	List []int64 `json:"l" protobuf:"varint,1,rep"`
}

// Encoders of other languages may pack numbers into fields, several for one list.
func TestPackedNumbersAreOneList(t *testing.T) {
	packed := field(1, "\x01\x02\x03\x04\x05\x06\x07") + field(1, "\x08")
	for _, d := range []*Decoder{New(nil, false), New(nil, true)} {
		for range 2 {
			if obj, _ := decodeEdge[edgeNumbers](t, d, packed, nil); !slices.Equal(obj.List, []int64{1, 2, 3, 4, 5, 6, 7, 8}) {
				t.Errorf("%v", obj.List)
			}
		}
	}
}
