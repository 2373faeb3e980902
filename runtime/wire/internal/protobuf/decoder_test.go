// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package protobuf

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	goruntime "runtime"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/skip"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

func fieldsV1(text string) *metav1.FieldsV1 {
	f := &metav1.FieldsV1{}
	if err := f.UnmarshalJSON([]byte(text)); err != nil {
		panic(err)
	}
	return f
}

func object() *metav1.PartialObjectMetadata {
	at := metav1.NewTime(time.Unix(1767225600, 0))
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
		Name: "a", Namespace: "ns", UID: "u", ResourceVersion: "7", Generation: -3, CreationTimestamp: at,
		DeletionTimestamp: &at, DeletionGracePeriodSeconds: new(int64(30)), Finalizers: []string{"one", "two"},
		Labels: map[string]string{"app": "x", "tier": "y"}, Annotations: map[string]string{"": ""},
		OwnerReferences: []metav1.OwnerReference{{Kind: "K", Controller: new(true)}, {Name: "other"}},
		ManagedFields: []metav1.ManagedFieldsEntry{
			{Manager: "m", Time: &at, FieldsV1: fieldsV1(`{"f:metadata":{}}`)},
			{Manager: "n", FieldsV1: fieldsV1(`{}`)},
		},
	}}
}

// examples are of types of apimachinery that have generated code. Among their fields are numbers of all
// kinds, bytes, maps, named slices, durations and raw objects.
var examples = []any{
	object(),
	&metav1.Status{
		Status: "Failure", Code: -1,
		Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Field: "f"}}, RetryAfterSeconds: 5},
	},
	&metav1.APIResourceList{APIResources: []metav1.APIResource{{Name: "pods", Verbs: metav1.Verbs{"get"}}}},
	&metav1.WatchEvent{Type: "ADDED", Object: runtime.RawExtension{Raw: []byte("x")}},
	&metav1.CreateOptions{DryRun: []string{"All"}},
	&metav1.DeleteOptions{GracePeriodSeconds: new(int64(0)), Preconditions: &metav1.Preconditions{}},
	&metav1.LabelSelector{
		MatchLabels: map[string]string{
			"a": "b",
		}, MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "k"}},
	},
}

type message interface {
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}

// compare decodes data twice by each decoder and compares the objects with those of generated code.
func compare(t *testing.T, data []byte, decoders ...*Decoder) {
	for _, example := range examples {
		kind := reflect.TypeOf(example).Elem()
		m, err := MessageOf(kind, kind)
		if err != nil {
			t.Fatal(err)
		}
		before := marshal(t, example)
		want := reflect.New(kind).Interface()
		wantErr := want.(message).Unmarshal(data)
		for _, d := range decoders {
			for range 2 {
				for _, held := range []any{nil, example, want, reflect.New(kind).Interface()} {
					got := reflect.New(kind).Interface()
					if wantErr != nil && held == want || !d.share {
						held = nil // it is half filled
					}
					same, err := d.Decode(m, data, got, held)
					if (err == nil) != (wantErr == nil) {
						t.Fatalf("%v: error %v, by generated code %v: %x", kind, err, wantErr, data)
					}
					if err == nil && !reflect.DeepEqual(got, want) {
						t.Fatalf("%v: %x\ngot  %+v\nwant %+v", kind, data, got, want)
					}
					if same && !reflect.DeepEqual(held, want) {
						t.Fatalf("%v: %x is said to be %+v", kind, data, held)
					}
				}
			}
		}
		if !bytes.Equal(marshal(t, example), before) {
			t.Fatalf("%v: the held object became %+v", kind, example)
		}
	}
}

func marshal(t testing.TB, obj any) []byte {
	data, err := obj.(message).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func FuzzDecode(f *testing.F) {
	for _, example := range examples {
		data := marshal(f, example)
		f.Add(data)
		f.Add(append(data, data...)) // what comes twice is merged
		f.Add(data[:len(data)/2])
	}
	alone, sharing := New(nil, false), New(nil, true)
	f.Fuzz(func(t *testing.T, data []byte) { compare(t, data, alone, sharing) })
}

func TestUnchangedObjectsAreRecognized(t *testing.T) {
	kind := reflect.TypeFor[metav1.PartialObjectMetadata]()
	m, err := MessageOf(kind, kind)
	if err != nil {
		t.Fatal(err)
	}
	data := marshal(t, object())
	managed := &skip.Paths{}
	managed.Add([]skip.Step{{Name: "metadata"}, {Name: "managedFields"}})
	for name, d := range map[string]*Decoder{"whole": New(nil, true), "skipping": New(managed, true)} {
		held := new(metav1.PartialObjectMetadata)
		if _, err := d.Decode(m, data, held, nil); err != nil {
			t.Fatal(err)
		}
		same := func(held *metav1.PartialObjectMetadata) bool {
			same, err := d.Decode(m, data, new(metav1.PartialObjectMetadata), held)
			if err != nil {
				t.Fatal(err)
			}
			return same
		}
		if !same(held) || !same(held.DeepCopy()) {
			t.Errorf("%s: an unchanged object is not recognized", name)
		}
		into := new(metav1.PartialObjectMetadata)
		if n := testing.AllocsPerRun(100, func() {
			_, _ = d.Decode(m, data, into, held)
			*into = metav1.PartialObjectMetadata{}
		}); n > 0 {
			t.Errorf("%s: %v allocations for an unchanged object", name, n)
		}
		for what, change := range map[string]func(*metav1.ObjectMeta){
			"a string":          func(o *metav1.ObjectMeta) { o.Name = "b" },
			"a number":          func(o *metav1.ObjectMeta) { o.Generation++ },
			"a pointer":         func(o *metav1.ObjectMeta) { o.DeletionGracePeriodSeconds = nil },
			"a time":            func(o *metav1.ObjectMeta) { o.CreationTimestamp = metav1.Time{} },
			"a map":             func(o *metav1.ObjectMeta) { o.Labels = map[string]string{"app": "x"} },
			"a slice":           func(o *metav1.ObjectMeta) { o.Finalizers = []string{"one"} },
			"a field of a list": func(o *metav1.ObjectMeta) { o.OwnerReferences = []metav1.OwnerReference{{Kind: "K"}, {Name: "x"}} },
			"an absent field":   func(o *metav1.ObjectMeta) { o.SelfLink = "x" },
		} {
			other := held.DeepCopy()
			change(&other.ObjectMeta)
			if same(other) {
				t.Errorf("%s: an object with %s changed counts as unchanged", name, what)
			}
		}
		identity, ok := d.Identify(data[:40])
		if !ok || string(identity.Name) != "a" || string(identity.Namespace) != "ns" ||
			string(identity.ResourceVersion) != "7" {
			t.Errorf("%s: %+v, %v", name, identity, ok)
		}
	}
}

func TestEqualPartsAreShared(t *testing.T) {
	kind := reflect.TypeFor[metav1.PartialObjectMetadata]()
	m, _ := MessageOf(kind, kind)
	decode := func(d *Decoder, change func(*metav1.ObjectMeta)) *metav1.PartialObjectMetadata {
		obj := object()
		change(&obj.ObjectMeta)
		data, err := obj.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		out := new(metav1.PartialObjectMetadata)
		if _, err := d.Decode(m, data, out, nil); err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, share := range []bool{true, false} {
		d := New(nil, share)
		decode(d, func(*metav1.ObjectMeta) {})
		a := decode(d, func(o *metav1.ObjectMeta) { o.Name = "b" })
		b := decode(d, func(o *metav1.ObjectMeta) { o.ManagedFields[0].Manager = "changed" })
		if shared := &a.OwnerReferences[0] == &b.OwnerReferences[0]; shared != share {
			t.Errorf("equal slices are shared: %v", shared)
		}
		a.Labels["new"] = "x"
		if _, shared := b.Labels["new"]; shared != share {
			t.Errorf("equal maps are shared: %v", shared)
		}
		if b.ManagedFields[0].Manager != "changed" || a.ManagedFields[0].Manager != "m" {
			t.Errorf("other values are shared: %+v, %+v", a.ManagedFields, b.ManagedFields)
		}
	}
}

// A message that comes twice is merged into a copy of what other objects share.
func TestMergingDoesNotChangeSharedParts(t *testing.T) {
	type inner struct {
		At    *metav1.Time `json:"at" protobuf:"bytes,1,opt,name=at"`
		Verbs metav1.Verbs `json:"verbs" protobuf:"bytes,2,opt,name=verbs"`
		Text  string       `json:"text" protobuf:"bytes,3,opt,name=text"`
	}
	type outer struct {
		In *inner `json:"in" protobuf:"bytes,1,opt,name=in"`
	}
	kind := reflect.TypeFor[outer]()
	m, err := MessageOf(kind, kind)
	if err != nil {
		t.Fatal(err)
	}
	d := New(nil, true)
	decode := func(data string) *outer {
		out := new(outer)
		if _, err := d.Decode(m, []byte(data), out, nil); err != nil {
			t.Fatal(err)
		}
		return out
	}
	const (
		one   = "\x0a\x15\x0a\x02\x08\x01\x12\x0f\x0a\x03get\x0a\x03put\x0a\x03new"
		other = "\x0a\x0b\x0a\x02\x08\x02\x12\x05\x0a\x03del"
	)
	decode(one)
	first := decode(one)
	merged := decode(one + other)
	if again := decode(one); again.In != first.In || again.In.At.Unix() != 1 || len(again.In.Verbs) != 3 {
		t.Errorf("what is shared became %+v", again.In)
	}
	if merged.In.At.Unix() != 2 || len(merged.In.Verbs) != 4 {
		t.Errorf("merged to %+v", merged.In)
	}
}

type recursive struct {
	In   *recursive `json:"in" protobuf:"bytes,1,opt,name=in"`
	List []string   `json:"list" protobuf:"bytes,3,rep,name=list"`
}

// Sharing decodes a damaged message once more, and not once more at each level.
func TestDamageIsTheSameWithSharing(t *testing.T) {
	kind := reflect.TypeFor[recursive]()
	m, err := MessageOf(kind, kind)
	if err != nil {
		t.Fatal(err)
	}
	data := []byte{0x1a, 2, 'a', 'b', 0x1a, 2, 'a', 'b', 0x08, 1} // field 1 is a number
	for range 15 {
		data = append([]byte{0x0a, byte(len(data))}, data...)
	}
	for _, share := range []bool{false, true} {
		if _, err := New(nil, share).Decode(m, data, new(recursive), nil); err != errWireType {
			t.Errorf("sharing %v: %v", share, err)
		}
	}
}

// A fieldsV1 that comes twice, the second time with an unknown field, leaves others as they are.
func TestUnusualFieldsV1LeavesOthersAsTheyAre(t *testing.T) {
	kind := reflect.TypeFor[metav1.ManagedFieldsEntry]()
	m, err := MessageOf(kind, kind)
	if err != nil {
		t.Fatal(err)
	}
	const usual, unusual = "\x3a\x04\x0a\x02{}", "\x3a\x06\x0a\x02[]\x18\x01"
	for _, share := range []bool{false, true} {
		d := New(nil, share)
		var first metav1.ManagedFieldsEntry
		for _, data := range []string{usual, usual, usual + unusual} {
			var entry metav1.ManagedFieldsEntry
			if _, err := d.Decode(m, []byte(data), &entry, nil); err != nil {
				t.Fatal(err)
			}
			if first.FieldsV1 == nil {
				first = entry
			}
		}
		if text, err := first.FieldsV1.MarshalJSON(); err != nil || string(text) != "{}" {
			t.Errorf("sharing %v: the first became %s, %v", share, text, err)
		}
	}
}

// A list of empty messages takes much more memory than bytes in the message, also within other values.
func TestMemoryOfSharedPartsIsBounded(t *testing.T) {
	type element struct {
		Text string     `json:"text" protobuf:"bytes,1,opt,name=text"`
		Wide [64]string `json:"-"`
	}
	type inner struct {
		List []element `json:"list" protobuf:"bytes,1,rep,name=list"`
	}
	type outer struct {
		In   *inner `json:"in" protobuf:"bytes,1,opt,name=in"`
		Text string `json:"text" protobuf:"bytes,2,opt,name=text"`
	}
	type object struct {
		Out *outer `json:"out" protobuf:"bytes,1,opt,name=out"`
	}
	kind := reflect.TypeFor[object]()
	m, err := MessageOf(kind, kind)
	if err != nil {
		t.Fatal(err)
	}
	field := func(number byte, data []byte) []byte {
		return append(binary.AppendUvarint([]byte{number<<3 | lengthDelimited}, uint64(len(data))), data...)
	}
	d := New(nil, true)
	before := heapBytes()
	for i := range 100 {
		list := append(bytes.Repeat([]byte{0x0a, 0}, 1000), field(1, field(1, fmt.Appendf(nil, "%08d", i)))...)
		data := field(1, append(field(1, list), field(2, fmt.Appendf(nil, "%08d", i))...))
		for range 2 { // what never repeats is not kept
			if _, err := d.Decode(m, data, new(object), nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	if kept := heapBytes() - before; kept > 10<<20 {
		t.Errorf("the decoder keeps %d MiB", kept>>20)
	}
	goruntime.KeepAlive(d)
}

func heapBytes() int {
	var stats goruntime.MemStats
	goruntime.GC()
	goruntime.ReadMemStats(&stats)
	return int(stats.HeapAlloc)
}

func TestTypesWithoutNumbersAreErrors(t *testing.T) {
	type plain struct {
		Name string `json:"name"`
	}
	type odd struct {
		C complex64 `json:"c" protobuf:"bytes,1,opt,name=c"`
	}
	for _, kind := range []reflect.Type{
		reflect.TypeFor[plain](), reflect.TypeFor[odd](), reflect.TypeFor[string](),
		reflect.TypeFor[struct {
			P *[]string `json:"p" protobuf:"bytes,1,opt,name=p"`
		}](),
	} {
		if _, err := MessageOf(kind, kind); err == nil {
			t.Errorf("%v has a message", kind)
		}
	}
}
