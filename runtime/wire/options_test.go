// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/source"
)

const full = `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"namespace":"ns","name":"a","uid":"u","resourceVersion":"7",` +
	`"labels":{"app":"x","tier":"y"},"annotations":{"big/one":"…","small":"s"},"managedFields":[{"manager":"m","fieldsV1":{"f:spec":{}}}]},` +
	`"spec":{"nodeName":"n","ports":[{"label":"l","number":1},{"label":"m","number":2}]},"status":{"since":"2026-01-01T00:00:00Z"}}`

// answering returns a Conn to a server that answers each list with items and
// each watch with an event for each of them.
func answering(t *testing.T, items ...string) Conn {
	return serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Get("watch") == "" {
			send(w, listJSON(items...))
			return
		}
		for _, item := range items {
			send(w, eventJSON("ADDED", item))
		}
	})
}

// one returns the object that both a list and a watch bring.
func one(t *testing.T, src source.ListerWatcher[*Widget]) *Widget {
	t.Helper()
	items, _, err := collect(src, t, metav1.ListOptions{})
	if err != nil || len(items) != 1 || items[0].Err != nil {
		t.Fatalf("%v, %v", items, err)
	}
	events, err := drain(src, t, metav1.ListOptions{})
	if err != nil || len(events) != 1 || !reflect.DeepEqual(events[0].Object, items[0].Object) {
		t.Fatalf("watch: %v, %v", events, err)
	}
	return items[0].Object
}

func TestSkippedFieldsAreLeftOut(t *testing.T) {
	// The second text is for the reference decoder, because of a member that is
	// there twice, the third is not compact.
	for _, text := range []string{full, strings.Replace(full, `"spec":{`, `"spec":{"nodeName":"o",`, 1), strings.ReplaceAll(full, ",", " ,\n ")} {
		conn := answering(t, text)
		whole := one(t, Source[*Widget](conn, widgets))
		if len(whole.ManagedFields) != 1 || len(whole.Annotations) != 2 || whole.Spec.Ports[1].Label != "m" ||
			whole.Status.Since.IsZero() {
			t.Fatalf("%+v", whole)
		}
		slim := one(t, Source[*Widget](conn.With(WithoutManagedFields()), widgets,
			Skip(".metadata.annotations['big/one']", ".spec.ports[*].label"), Skip(".status")))
		whole.ManagedFields = nil
		delete(whole.Annotations, "big/one")
		whole.Spec.Ports[0].Label, whole.Spec.Ports[1].Label = "", ""
		whole.Status = WidgetStatus{}
		if !reflect.DeepEqual(slim, whole) {
			t.Errorf("got  %+v\nwant %+v", slim, whole)
		}
	}
}

// The text that a fieldsV1 holds is pruned like that of other types that decode themselves.
func TestSkippedWithinFieldsV1(t *testing.T) {
	object := strings.Replace(full, `"fieldsV1":{`, `"fieldsV1":{"f:spec":{"f:a":{}},`, 1)
	for _, text := range []string{object, strings.Replace(object, `"spec":{`, `"spec":{"nodeName":"o",`, 1)} {
		got := one(
			t,
			Source[*Widget](
				answering(t, text),
				widgets,
				Skip(".metadata.managedFields[*].fieldsV1['f:spec']"),
			),
		)
		if fields, err := got.ManagedFields[0].FieldsV1.MarshalJSON(); err != nil ||
			strings.Contains(string(fields), "f:spec") {
			t.Errorf("fieldsV1 is %s", fields)
		}
	}
}

// A path by name and one by [*] beside it both count, whichever comes first.
func TestSkippedByNameAndByAny(t *testing.T) {
	type spec struct {
		Limits map[string]map[string]string `json:"limits"`
	}
	type deep struct {
		metav1.ObjectMeta `     json:"metadata"`
		Spec              spec `json:"spec"`
	}
	conn := answering(
		t,
		`{"metadata":{"name":"a"},"spec":{"limits":{"cpu":{"min":"1","max":"2","unit":"m"},"ram":{"min":"3","max":"4","unit":"Gi"}}}}`,
	)
	want := spec{map[string]map[string]string{"cpu": {"unit": "m"}, "ram": {"max": "4", "unit": "Gi"}}}
	for _, paths := range [][]string{{".spec.limits[*].min", ".spec.limits.cpu.max"}, {".spec.limits.cpu.max", ".spec.limits[*].min"}} {
		_, err := Source[*deep](
			conn,
			widgets,
			Skip(paths...),
		).List(t.Context(), metav1.ListOptions{}, func(item source.Delta[*deep], err error) error {
			if err != nil || !reflect.DeepEqual(item.Object.Spec, want) {
				t.Errorf("%v: %+v", paths, item)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestSkippingWorksForUnstructuredObjects(t *testing.T) {
	src := Source[*unstructured.Unstructured](answering(t, full).With(WithoutManagedFields()), widgets, Skip(".spec.ports"))
	_, err := src.List(t.Context(), metav1.ListOptions{}, func(item source.Delta[*unstructured.Unstructured], err error) error {
		if err != nil || item.Object.GetManagedFields() != nil || item.Object.GetName() != "a" ||
			!reflect.DeepEqual(item.Object.Object["spec"], map[string]any{"nodeName": "n"}) {
			t.Errorf("%+v", item)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestSkippedTextMustBeJSON(t *testing.T) {
	src := Source[*Widget](
		answering(t, strings.Replace(full, `"f:spec"`, `f:spec`, 1)),
		widgets,
		WithoutManagedFields(),
	)
	_, _, err := collect(src, t, metav1.ListOptions{})
	wantError(t, err, "not JSON")
}

func TestPathsThatCannotBeSkipped(t *testing.T) {
	for path, part := range map[string]string{
		"":                        "empty",
		"spec":                    `"spec"`,
		".":                       "invalid path",
		".spec..x":                "invalid path",
		".spec.ports[0]":          `"[0]"`,
		".spec.ports[*]":          "ends with [*]",
		".metadata":               ".metadata.name cannot be skipped",
		".metadata.name":          ".metadata.name cannot be skipped",
		".metadata['namespace']":  ".metadata.namespace cannot be skipped",
		".metadata.uid":           ".metadata.uid",
		"[*].resourceVersion":     ".metadata.resourceVersion",
		".kind":                   ".kind",
		".apiVersion":             ".apiVersion",
		".metadata.annotations['": "invalid path",
	} {
		src := Source[*Widget](Conn{BaseURL: "http://127.0.0.1:1"}, widgets, Skip(path))
		_, _, err := collect(src, t, metav1.ListOptions{})
		wantError(t, err, "widgets.example.com", part)
	}
}

func TestWithLeavesTheConnAlone(t *testing.T) {
	conn := answering(t, full)
	a := conn.With(WithoutManagedFields())
	b, c := a.With(Skip(".spec")), a.With(Skip(".status"))
	for name, test := range map[string]struct {
		conn                  Conn
		managed, spec, status bool
	}{"plain": {conn, true, true, true}, "a": {a, false, true, true}, "b": {b, false, false, true}, "c": {c, false, true, false}} {
		w := one(t, Source[*Widget](test.conn, widgets))
		if (len(w.ManagedFields) > 0) != test.managed || (w.Spec.NodeName != "") != test.spec ||
			w.Status.Since.IsZero() == test.status {
			t.Errorf("%s: %+v", name, w)
		}
	}
}

func TestEqualMapsAreShared(t *testing.T) {
	conn := answering(t, full, strings.Replace(full, `"name":"a"`, `"name":"b"`, 1))
	shared := func(src source.ListerWatcher[*Widget]) bool {
		items, _, err := collect(src, t, metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		items[0].Object.Labels["new"] = "z"
		_, ok := items[1].Object.Labels["new"]
		return ok
	}
	alone := Source[*Widget](conn, widgets)
	none := func(types.NamespacedName) (*Widget, bool) { return nil, false }
	for _, test := range []struct {
		name string
		src  source.ListerWatcher[*Widget]
		want bool
	}{
		{"of a source that is used alone", alone, false},
		{"with ShareParts", Source[*Widget](conn, widgets, ShareParts()), true},
		{"of a source of a cache", alone.Reusing(none), true},
		{"of the first source, again", alone, false},
	} {
		if got := shared(test.src); got != test.want {
			t.Errorf("maps %s: shared is %v, want %v", test.name, got, test.want)
		}
	}
}

func TestWhatIsHeldIsReused(t *testing.T) {
	same := strings.NewReplacer(`"name":"a"`, `"name":"same"`).Replace(full)
	forked := strings.NewReplacer(`"name":"a"`, `"name":"forked"`).Replace(full)
	broken := strings.NewReplacer(`"name":"a"`, `"name":"broken"`).Replace(full)
	changed := strings.NewReplacer(`"name":"a"`, `"name":"changed"`).Replace(full)
	var held map[string]*Widget
	known := func(key types.NamespacedName) (*Widget, bool) {
		obj, ok := held[key.Name]
		return obj, ok && key.Namespace == "ns"
	}
	hold := func(texts ...string) {
		held = map[string]*Widget{}
		items, _, err := collect(Source[*Widget](answering(t, texts...), widgets), t, metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			held[item.Object.Name] = item.Object
		}
	}
	hold(same, forked, broken, changed)
	// After a restore from a backup, the same UID and version stand for something else.
	conn := answering(
		t,
		same,
		strings.Replace(forked, `"number":2`, `"number":3`, 1),
		strings.Replace(broken, `"number":2`, `"number":"2"`, 1),
		strings.Replace(changed, `"resourceVersion":"7"`, `"resourceVersion":"8"`, 1),
	)
	src := Source[*Widget](conn, widgets).Reusing(known)
	check := func(how string, items []item[*Widget]) {
		t.Helper()
		switch {
		case len(items) != 4:
			t.Errorf("%s: %d items", how, len(items))
		case items[0].Object != held["same"]:
			t.Errorf("%s: what is equal was made again", how)
		case items[1].Object == held["forked"] || items[1].Object.Spec.Ports[1].Number != 3:
			t.Errorf("%s: %+v instead of what the server has", how, items[1].Object)
		case items[2].Err == nil:
			t.Errorf("%s: what cannot be decoded was taken for what is held", how)
		case items[3].Object.ResourceVersion != "8":
			t.Errorf("%s: a change was missed", how)
		}
	}
	items, _, err := collect(src, t, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	check("list", items)
	for _, initial := range []*bool{nil, new(false), new(true)} {
		events, err := drain(src, t, metav1.ListOptions{SendInitialEvents: initial})
		if err != nil || len(events) != 4 {
			t.Fatalf("%d events, %v", len(events), err)
		}
		if initial != nil && *initial {
			check("WatchList", events)
		} else if events[0].Object == held["same"] {
			t.Error("a watch that brings changes looks for what is held")
		}
	}
	held["same"].Labels["tier"] = "written by somebody"
	if items, _, _ := collect(src, t, metav1.ListOptions{}); items[0].Object == held["same"] {
		t.Error("what somebody has written to a held object was not found")
	}
	slim := Source[*Widget](conn, widgets, WithoutManagedFields(), Skip(".spec.ports")).Reusing(known)
	if items, _, _ := collect(slim, t, metav1.ListOptions{}); items[0].Object == held["same"] ||
		items[0].Object.Spec.Ports != nil {
		t.Errorf("what is to be skipped is there: %+v", items[0].Object)
	}
}

// Invalid UTF-8 is an error, except in skipped fields.
func TestSkippedFieldsNeedNotBeUTF8(t *testing.T) {
	text := `{"metadata":{"name":"a"},"extra":{"x":"` + "\xff" + `"}}`
	for _, opts := range [][]Option{nil, {Skip(".extra")}} {
		items, _, err := collect(
			Source[*Widget](answering(t, text), widgets, opts...),
			t,
			metav1.ListOptions{},
		)
		if err != nil || len(items) != 1 || (items[0].Err == nil) != (opts != nil) ||
			items[0].Err != nil && items[0].Type != delta.Stale {
			t.Errorf("%d options: %+v, %v", len(opts), items, err)
		}
	}
}
