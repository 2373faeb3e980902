// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

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
		whole := one(t, Source[Widget](conn, widgets, ""))
		if len(whole.ManagedFields) != 1 || len(whole.Annotations) != 2 || whole.Spec.Ports[1].Label != "m" || whole.Status.Since.IsZero() {
			t.Fatalf("%+v", whole)
		}
		slim := one(t, Source[Widget](conn.With(WithoutManagedFields()), widgets, "",
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

func TestSkippingWorksForUnstructuredObjects(t *testing.T) {
	src := Source[unstructured.Unstructured](answering(t, full).With(WithoutManagedFields()), widgets, "", Skip(".spec.ports"))
	_, err := src.List(t.Context(), metav1.ListOptions{}, func(item source.Item[*unstructured.Unstructured]) error {
		if item.Err != nil || item.Object.GetManagedFields() != nil || item.Object.GetName() != "a" ||
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
	src := Source[Widget](answering(t, strings.Replace(full, `"f:spec"`, `f:spec`, 1)), widgets, "", WithoutManagedFields())
	_, _, err := collect(src, t, metav1.ListOptions{})
	wantError(t, err, "not JSON")
}

func TestPathsThatCannotBeSkipped(t *testing.T) {
	for path, part := range map[string]string{
		"":                        "empty",
		"spec":                    `"spec"`,
		".":                       "cannot be read",
		".spec..x":                "cannot be read",
		".spec.ports[0]":          `"[0]"`,
		".spec.ports[*]":          "ends with [*]",
		".metadata":               ".metadata.name cannot be skipped",
		".metadata.name":          ".metadata.name cannot be skipped",
		".metadata['namespace']":  ".metadata.namespace cannot be skipped",
		".metadata.uid":           ".metadata.uid",
		"[*].resourceVersion":     ".metadata.resourceVersion",
		".kind":                   ".kind",
		".apiVersion":             ".apiVersion",
		".metadata.annotations['": "cannot be read",
	} {
		src := Source[Widget](Conn{BaseURL: "http://127.0.0.1:1"}, widgets, "", Skip(path))
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
		w := one(t, Source[Widget](test.conn, widgets, ""))
		if (len(w.ManagedFields) > 0) != test.managed || (w.Spec.NodeName != "") != test.spec || w.Status.Since.IsZero() == test.status {
			t.Errorf("%s: %+v", name, w)
		}
	}
}

func TestEqualMapsAreShared(t *testing.T) {
	conn := answering(t, full, strings.Replace(full, `"name":"a"`, `"name":"b"`, 1))
	shared := func(opts ...Option) bool {
		items, _, err := collect(Source[Widget](conn, widgets, "", opts...), t, metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		items[0].Object.Labels["new"] = "z"
		_, ok := items[1].Object.Labels["new"]
		return ok
	}
	if shared() || !shared(ShareMaps()) {
		t.Errorf("shared by default %v, with ShareMaps %v", shared(), shared(ShareMaps()))
	}
}

func TestWhatIsKnownIsNotDecoded(t *testing.T) {
	broken := strings.Replace(full, `"number":1`, `"number":"one"`, 1)
	src := Source[Widget](answering(t, broken, strings.Replace(full, `"7"`, `"8"`, 1)), widgets, "")
	cached := &Widget{}
	known := source.Reusing(src, func(key types.NamespacedName, uid types.UID, version string) (*Widget, bool) {
		return cached, fmt.Sprint(key, uid, version) == "ns/au7"
	})
	items, _, err := collect(known, t, metav1.ListOptions{})
	if err != nil || len(items) != 2 || items[0].Object != cached || !items[0].Known || items[1].Known || items[1].Object.ResourceVersion != "8" {
		t.Errorf("%+v, %v", items, err)
	}
	events, err := drain(known, t, metav1.ListOptions{})
	if err != nil || len(events) != 2 || events[0].Object != cached || !events[0].Known || events[1].Known {
		t.Errorf("%+v, %v", events, err)
	}
	// Without it, the object cannot be decoded.
	if items, _, _ := collect(src, t, metav1.ListOptions{}); items[0].Err == nil {
		t.Errorf("%+v", items[0])
	}
}
