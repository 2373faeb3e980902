// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"k8s.io/apimachinery/pkg/api/resource"
)

// shared tells whether two equal strings are one in memory.
func shared(a, b string) bool { return a == b && unsafe.StringData(a) == unsafe.StringData(b) }

func decodeWorkload(t *testing.T, d *Decoder, text string) *workload {
	t.Helper()
	obj := new(workload)
	if _, err := d.Decode([]byte(text), obj); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return obj
}

// Strings that come again share their memory, wherever they stand.
func TestStringsThatRepeatAreShared(t *testing.T) {
	d := New(Options{})
	const text = `{"metadata":{"namespace":"default","labels":{"app.kubernetes.io/name":"web"},"managedFields":[{"fieldsV1":{"f:spec":{}}}]},"spec":{"nodeName":"node-1","args":["web"],"Env":[{"Name":"A","Value":"default"}]}}`
	a, b := decodeWorkload(
		t,
		d,
		text,
	), decodeWorkload(
		t,
		d,
		strings.Replace(text, `"node-1"`, `"n\u006fde-1"`, 1),
	)
	if !shared(a.Namespace, b.Namespace) || !shared(a.Spec.NodeName, b.Spec.NodeName) || !shared(a.Spec.Args[0], b.Spec.Args[0]) ||
		!shared(a.Labels["app.kubernetes.io/name"], a.Spec.Args[0]) ||
		!shared(a.Spec.Env[0].Value, b.Namespace) {
		t.Errorf("not shared: %+v, %+v", a, b)
	}
	for key := range a.Labels {
		for again := range b.Labels {
			if !shared(key, again) {
				t.Errorf("the key %q is not shared", key)
			}
		}
	}
}

// Modifying a decoded object, which is not allowed, does not change objects decoded later.
func TestModifiedFieldsV1IsNotShared(t *testing.T) {
	const text, fields = `{"metadata":{"labels":{"app":"web"},"managedFields":[{"fieldsV1":{"f:spec":{}}}]}}`, `{"f:spec":{}}`
	d := New(Options{})
	for range 3 {
		obj, again := decodeWorkload(t, d, text), decodeWorkload(t, d, text)
		one, err := obj.ManagedFields[0].FieldsV1.MarshalJSON() // what it holds, not a copy
		if len(obj.Labels) != 1 || string(one) != fields || err != nil {
			t.Errorf("what was done to one object shows in the next: %+v", obj.ObjectMeta)
		}
		if other, err := again.ManagedFields[0].FieldsV1.MarshalJSON(); err != nil || &one[0] != &other[0] {
			t.Error("managedFields are not shared")
		}
		obj.Labels["new"] = "x"
		copy(one, `{"f:XXXX"`)
	}
}

// A string that comes among many others is found all the same.
func TestStringsThatRepeatAmongOthersAreShared(t *testing.T) {
	d := New(Options{Share: true})
	var first, last *workload
	for i := range 30_000 {
		last = decodeWorkload(
			t,
			d,
			fmt.Sprintf(
				`{"metadata":{"name":"name-%060d","namespace":"default","labels":{"own":"%d"},"managedFields":[{"fieldsV1":{"f:%0200d":{}}}]}}`,
				i,
				i,
				i,
			),
		)
		if i == 0 {
			first = last
		}
	}
	if !shared(first.Namespace, last.Namespace) {
		t.Error("a string that came all the time was forgotten")
	}
}

// With Share, equal maps, lists and what pointers point to are one in memory, if they are at the same place of
// their types. Other values and places are not confused with them.
func TestEqualPartsAreShared(t *testing.T) {
	type inner struct {
		Text string `json:"text"`
	}
	type object struct {
		Limits   map[string]resource.Quantity `json:"limits"`
		Requests map[string]resource.Quantity `json:"requests"`
		Texts    map[string]string            `json:"texts"` // equals Requests as text
		Pointers map[string]*inner            `json:"pointers"`
		List     []inner                      `json:"list"`
		Strings  []string                     `json:"strings"`
		Numbers  []int64                      `json:"numbers"`
		Bytes    []byte                       `json:"bytes"`
		Pointer  *inner                       `json:"pointer"`
		Scalar   *string                      `json:"scalar"`
	}
	const text = `{"limits":{"cpu":"1"},"requests":{"cpu":"2"},"texts":{"cpu":"2"},"pointers":{"a":{"text":"a"}},` +
		`"list":[{"text":"a"},{"text":"b"},{"text":"c"}],"strings":["a","b","c"],"numbers":[1,2,3,4,5],"bytes":"aGVsbG8=",` +
		`"pointer":{"text":"a"},"scalar":"scalar"}`
	for _, share := range []bool{true, false} {
		d := New(Options{Share: share})
		decode := func(text string) *object {
			obj := &object{}
			if _, err := d.Decode([]byte(text), obj); err != nil {
				t.Fatal(err)
			}
			return obj
		}
		first, second := decode(text), decode(text)
		two := resource.MustParse("2")
		if !two.Equal(second.Requests["cpu"]) || second.Texts["cpu"] != "2" || second.Pointers["a"].Text != "a" ||
			len(second.List) != 3 || len(second.Numbers) != 5 || second.List[2].Text != "c" || second.Pointer.Text != "a" ||
			string(second.Bytes) != "hello" || *second.Scalar != "scalar" {
			t.Fatalf("%+v", second)
		}
		one, other := reflect.ValueOf(*first), reflect.ValueOf(*second)
		for i := range one.NumField() {
			if same := one.Field(i).Pointer() == other.Field(i).Pointer(); same != share {
				t.Errorf("Share: %v, and %s is shared: %v", share, one.Type().Field(i).Name, same)
			}
			if v := other.Field(i); v.Kind() == reflect.Slice && one.Type().Field(i).Name != "Bytes" && v.Cap() != v.Len() {
				t.Errorf("%s has room for %d more elements", one.Type().Field(i).Name, v.Cap()-v.Len())
			}
		}
		third := decode(strings.Replace(text, `{"text":"c"}`, `{"text":"C"}`, 1))
		if third.List[2].Text != "C" || second.List[2].Text != "c" {
			t.Errorf("%+v and %+v", third.List, second.List)
		}
	}
}
