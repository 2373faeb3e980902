// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"fmt"
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

// Maps of quantities are shared like labels. Maps whose elements refer to something are not.
func TestMapsOfStructsAreShared(t *testing.T) {
	type object struct {
		Limits   map[string]resource.Quantity `json:"limits"`
		Pointers map[string]*int              `json:"pointers"`
		Lists    map[string]struct {
			L []string `json:"l"`
		} `json:"lists"`
		Requests map[string]resource.Quantity `json:"requests"`
		Texts    map[string]string            `json:"texts"` // equals Requests as text
	}
	d := New(Options{Share: true})
	var objects [3]object
	for i := range objects {
		text := `{"limits":{"cpu":"1"},"pointers":{"a":1},"lists":{"a":{"l":["x"]}},"requests":{"cpu":"2"},"texts":{"cpu":"2"}}`
		if _, err := d.Decode([]byte(text), &objects[i]); err != nil {
			t.Fatal(err)
		}
		o, two := objects[i], resource.MustParse("2")
		if !two.Equal(o.Requests["cpu"]) || o.Texts["cpu"] != "2" || *o.Pointers["a"] != 1 {
			t.Fatalf("%+v", o)
		}
	}
	objects[1].Limits["new"], objects[1].Pointers["new"] = resource.Quantity{}, nil
	objects[1].Lists["a"].L[0] = "changed"
	if objects[2].Lists["a"].L[0] != "x" {
		t.Errorf("a list in a map is shared: %+v", objects[2].Lists)
	}
	if len(objects[2].Limits) != 2 || len(objects[2].Pointers) != 1 {
		t.Errorf("of equal objects, one has limits %v and pointers %v after the other changed",
			objects[2].Limits, objects[2].Pointers)
	}
}
