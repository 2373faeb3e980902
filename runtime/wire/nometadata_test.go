// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"net/http"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// pointedWidget has its metadata behind pointers, which are nil if it is not there.
type pointedWidget struct {
	*metav1.TypeMeta   `json:",inline"`
	*metav1.ObjectMeta `json:"metadata,omitempty"`
}

// untaggedWidget embeds ObjectMeta without a tag, and has another field with the name metadata.
type untaggedWidget struct {
	*metav1.ObjectMeta `json:"meta,omitempty"`
	Other              struct{} `json:"metadata"`
}

func TestObjectsWithoutMetadata(t *testing.T) {
	texts := []string{
		`{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a","resourceVersion":"7"}}`,
		`{"metadata":{"name":"b"}}`, // without a kind, as the items of lists of built-in types are
		`{}`,
		`{ "metadata":null, "spec":{}}`,
		`{"metadata":{"name":"c"}}`,
	}
	src := Source[*pointedWidget](answering(t, texts...), widgets)
	check := func(how string, items []item[*pointedWidget]) {
		t.Helper()
		if len(items) != len(texts) {
			t.Fatalf("%s: %d items", how, len(items))
		}
		for i, item := range items {
			switch {
			case i == 2 || i == 3:
				wantError(
					t,
					item.Err,
					"widgets.example.com",
					"*wire.pointedWidget",
					"embed metav1.ObjectMeta",
				)
			case item.Err != nil || item.Object.Name != string("ab__c"[i]):
				t.Errorf("%s: item %d: %+v", how, i, item)
			}
		}
	}
	var items []item[*pointedWidget]
	if _, err := src.List(t.Context(), metav1.ListOptions{}, func(d source.Delta[*pointedWidget], err error) error {
		items = append(items, item[*pointedWidget]{Delta: d, Err: err})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	check("list", items)
	items = nil
	if err := src.Watch(t.Context(), metav1.ListOptions{}, appendTo(&items)); err != nil {
		t.Fatal(err)
	}
	check("watch", items)
}

func TestMetadataThatIsNotDecoded(t *testing.T) {
	conn := serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		send(
			w,
			eventJSON(
				"ADDED",
				widgetJSON("a"),
			)+strings.ReplaceAll(
				eventJSON("MODIFIED", widgetJSON("a")),
				":",
				" : ",
			),
		)
	})
	n := 0
	var events []item[*untaggedWidget]
	if err := Source[*untaggedWidget](conn, widgets).Watch(t.Context(), metav1.ListOptions{}, appendTo(&events)); err != nil {
		t.Fatal(err)
	}
	for _, event := range events {
		if event.Type != delta.Stale || event.Key.String() != "ns/a" || event.version != "7" {
			t.Errorf("%+v", event)
		}
		wantError(
			t,
			event.Err,
			"widgets.example.com ns/a cannot be decoded: the metadata of a *wire.untaggedWidget cannot be read",
		)
		n++
	}
	if n != 2 {
		t.Errorf("%d events", n)
	}
}
