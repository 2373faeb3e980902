// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const testLimit = 1 << 16

func TestListDecoder(t *testing.T) {
	for name, test := range map[string]struct {
		text  string
		names string
		rv    string
		err   []string
	}{
		"plain":            {text: listJSON(widgetJSON("a"), widgetJSON("b")), names: "a b", rv: "42"},
		"empty":            {text: listJSON(), rv: "42"},
		"null items":       {text: `{"metadata":{"resourceVersion":"1"},"items":null}`, rv: "1"},
		"metadata last":    {text: `{"items":[` + widgetJSON("a") + `],"kind":"WidgetList","metadata":{"resourceVersion":"9"}}`, names: "a", rv: "9"},
		"unknown members":  {text: `{"x":{"items":[1]},"items":[` + widgetJSON("a") + `],"y":[[]],"z":-1.5e3,"w":"\"]}","v":true}`, names: "a"},
		"spacious":         {text: " {\r\n\t\"items\" : [ " + widgetJSON("a") + " , " + widgetJSON("b") + " ] } \n", names: "a b"},
		"case matters":     {text: `{"Items":[1],"items":[{"metadata":{"name":"a"},"Metadata":{"name":"b"}}]}`, names: "a"},
		"escaped names":    {text: `{"it\u0065ms":[` + widgetJSON("a") + `]}`, names: "a"},
		"any listKind":     {text: `{"kind":"Widgets","items":[]}`},
		"wrong type":       {text: listJSON(widgetJSON("a"), `{"metadata":{"namespace":"ns","name":"b"},"spec":{"nodeName":5}}`, widgetJSON("c")), names: "a !ns/b c", rv: "42"},
		"not an object":    {text: listJSON(widgetJSON("a"), `5`, `null`, `"x"`, `[]`, widgetJSON("c")), names: "a ! ! ! ! c", rv: "42"},
		"name of no type":  {text: listJSON(`{"metadata":{"namespace":"ns","name":5}}`), names: "!", rv: "42"},
		"namespace bad":    {text: listJSON(`{"metadata":{"namespace":[],"name":"b"}}`), names: "!", rv: "42"},
		"panic":            {text: listJSON(`{"metadata":{"name":"b"},"spec":{"bomb":1}}`, widgetJSON("c")), names: "!/b c", rv: "42"},
		"not UTF-8":        {text: listJSON(`{"metadata":{"name":"b"},"spec":{"nodeName":"`+"\xff"+`"}}`, widgetJSON("c")), names: "!/b c", rv: "42"},
		"name not UTF-8":   {text: listJSON(`{"metadata":{"name":"`+"\xff"+`"}}`, widgetJSON("c")), names: "! c", rv: "42"},
		"nothing":          {text: ``, err: []string{"unexpected EOF"}},
		"blank":            {text: " \n", err: []string{"unexpected EOF"}},
		"not a list":       {text: widgetJSON("a"), err: []string{"no items"}},
		"empty object":     {text: `{}`, err: []string{"no items"}},
		"an array":         {text: `[]`, err: []string{"byte 0", `'['`}},
		"HTML":             {text: `<html>`, err: []string{"byte 0", `'<'`}},
		"table":            {text: `{"kind":"Table","apiVersion":"meta.k8s.io/v1","columnDefinitions":[],"rows":[]}`, err: []string{"Table"}},
		"table, kind last": {text: `{"rows":[],"items":[],"kind":"Table"}`, err: []string{"Table"}},
		"status":           {text: `{"kind":"Status"}`, err: []string{"Status"}},
		"kind of no type":  {text: `{"kind":5}`, err: []string{"kind"}},
		"items twice":      {text: `{"items":[],"items":[]}`, err: []string{"items twice", "byte 20"}},
		"items no array":   {text: `{"items":{}}`, err: []string{"byte 9", `'{'`}},
		"items nonsense":   {text: `{"items":nothing}`, err: []string{"not JSON", "nothing"}},
		"metadata bad":     {text: `{"metadata":{"resourceVersion":5},"items":[]}`, err: []string{"metadata", "resourceVersion"}},
		"truncated":        {text: listJSON(widgetJSON("a"))[:170], err: []string{"unexpected EOF"}},
		"cut after object": {text: `{"items":[` + widgetJSON("a"), names: "a", err: []string{"unexpected EOF"}},
		"cut after comma":  {text: `{"items":[` + widgetJSON("a") + `,`, names: "a", err: []string{"unexpected EOF"}},
		"cut after array":  {text: `{"items":[` + widgetJSON("a") + `]`, names: "a", err: []string{"unexpected EOF"}},
		"trailing garbage": {text: listJSON(widgetJSON("a")) + "x", names: "a", err: []string{"after the end", `'x'`}},
		"two lists":        {text: listJSON() + listJSON(), err: []string{"after the end"}},
		"syntax in object": {text: listJSON(widgetJSON("a"), `{"metadata":{"name":"b",}}`, widgetJSON("c")), names: "a", err: []string{"not JSON"}},
		"brackets crossed": {text: listJSON(`{"a":[}]`), err: []string{"not JSON"}},
		"no comma":         {text: listJSON(widgetJSON("a") + widgetJSON("b")), names: "a", err: []string{"not JSON", "','"}},
		"comma too many":   {text: listJSON(widgetJSON("a"), ""), names: "a", err: []string{"not JSON"}},
		"comma first":      {text: `{"items":[,]}`, err: []string{"not JSON"}},
		"member no string": {text: `{5:1}`, err: []string{"not JSON", "name of a member"}},
		"no colon":         {text: `{"items" []}`, err: []string{"not JSON", "':'"}},
		"skipped nonsense": {text: `{"x":{nonsense},"items":[]}`, err: []string{"not JSON", `"x"`}},
		"skipped nothing":  {text: `{"x":,"items":[]}`, err: []string{"not JSON", `"x"`}},
		"comma at the end": {text: `{"items":[],}`, err: []string{"not JSON"}},
		"deep object":      {text: listJSON(`{"a":` + strings.Repeat("[", 11000) + strings.Repeat("]", 11000) + `}`), err: []string{"not JSON", "max depth"}},
		"deep and endless": {text: `{"items":[` + strings.Repeat("[", 1<<20), err: []string{"MaxObjectBytes"}},
		"deep skipped":     {text: `{"x":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `,"items":[]}`, err: []string{"not JSON"}},
		"huge object":      {text: listJSON(widgetJSON("a"), `{"metadata":{"namespace":"ns","name":"big"},"x":"`+strings.Repeat("y", testLimit)+`"}`), names: "a", err: []string{"ns/big", "MaxObjectBytes"}},
		"huge name":        {text: `{"` + strings.Repeat("x", testLimit), err: []string{"MaxObjectBytes"}},
		"huge metadata":    {text: `{"metadata":{"continue":"` + strings.Repeat("x", testLimit), err: []string{"MaxObjectBytes"}},
		"huge number":      {text: `{"items":[` + strings.Repeat("1", 2*testLimit), err: []string{"MaxObjectBytes"}},
	} {
		t.Run(name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{"whole": strings.NewReader(test.text), "by bytes": byBytes(test.text)} {
				items, meta, err := decodeList(r, testLimit)
				if got := names(items); got != test.names {
					t.Errorf("%s: items %q, want %q", how, got, test.names)
				}
				if len(test.err) > 0 {
					wantError(t, err, test.err...)
				} else if err != nil {
					t.Errorf("%s: %v", how, err)
				} else if meta.ResourceVersion != test.rv {
					t.Errorf("%s: resourceVersion %q, want %q", how, meta.ResourceVersion, test.rv)
				}
			}
		})
	}
}

func TestObjectErrorsNameObjectAndPath(t *testing.T) {
	for path, spec := range map[string]string{
		".spec":                                 `"spec":7`,
		".spec.nodeName":                        `"spec":{"nodeName":7}`,
		".spec.size":                            `"spec":{"size":"seven"}`,
		".spec.ports[2].number":                 `"spec":{"ports":[{"number":1},{"number":2},{"number":"3"}]}`,
		".spec.ports[0].label":                  `"spec":{"ports":[{"label":{}}]}`,
		".spec.limits.cpu":                      `"spec":{"limits":{"memory":"1Gi","cpu":"much"}}`,
		".spec.data":                            `"spec":{"data":"%%%"}`,
		".spec.bomb":                            `"spec":{"bomb":{}}`,
		".status.since":                         `"status":{"since":"yesterday"}`,
		".metadata.annotations":                 `"metadata":{"namespace":"ns","name":"w","annotations":[]}`,
		".metadata.annotations.a":               `"metadata":{"namespace":"ns","name":"w","annotations":{"a":1}}`,
		".metadata.creationTimestamp":           `"metadata":{"namespace":"ns","name":"w","creationTimestamp":"now"}`,
		".metadata.ownerReferences[0]":          `"metadata":{"namespace":"ns","name":"w","ownerReferences":["x"]}`,
		".kind":                                 `"kind":false`,
		".metadata.deletionTimestamp":           `"metadata":{"namespace":"ns","name":"w","deletionTimestamp":17}`,
		".metadata.generation":                  `"metadata":{"namespace":"ns","name":"w","generation":1.5}`,
		".metadata.managedFields[0].fieldsType": `"metadata":{"namespace":"ns","name":"w","managedFields":[{"fieldsType":[]}]}`,
	} {
		raw := `{"metadata":{"namespace":"ns","name":"w"},` + spec + `}`
		if strings.HasPrefix(spec, `"metadata"`) {
			raw = `{` + spec + `}`
		}
		items, _, err := decodeList(strings.NewReader(listJSON(raw, widgetJSON("z"))), testLimit)
		if err != nil || names(items) != "!ns/w z" {
			t.Errorf("%s: items %s, error %v", spec, names(items), err)
			continue
		}
		wantError(t, items[0].Err, "widgets.example.com ns/w cannot be decoded: "+path+": ")
	}
}

func TestObjectsHaveNoTypeMeta(t *testing.T) {
	items, _, err := decodeList(strings.NewReader(listJSON(widgetJSON("a"))), testLimit)
	if err != nil || items[0].Object.TypeMeta != (metav1.TypeMeta{}) ||
		items[0].Object.Spec.NodeName != "node-a" {
		t.Errorf("%v, %+v", err, items)
	}
	events, err := decodeWatch(strings.NewReader(eventJSON("ADDED", widgetJSON("a"))), testLimit)
	if err != nil || events[0].Object.TypeMeta != (metav1.TypeMeta{}) {
		t.Errorf("%v, %+v", err, events)
	}
}

func TestListHandsOnBeforeTheEnd(t *testing.T) {
	overBoth(t, func(t *testing.T, start func(http.HandlerFunc) Conn) {
		seen := make(chan string)
		conn := start(func(w http.ResponseWriter, _ *http.Request) {
			half := widgetJSON("b")
			send(w, `{"items":[`+widgetJSON("a")+`,`+half[:20])
			if got := <-seen; got != "a" { // the client has a while b is only half there
				t.Errorf("got %q first", got)
			}
			send(w, half[20:])
			if got := <-seen; got != "b" {
				t.Errorf("got %q second", got)
			}
			send(w, `],"metadata":{"resourceVersion":"5","remainingItemCount":3,"continue":"c"}}`)
		})
		meta, err := Source[*Widget](
			conn,
			widgets,
		).List(t.Context(), metav1.ListOptions{}, func(item source.Delta[*Widget], err error) error {
			seen <- item.Object.Name
			return nil
		})
		if err != nil || meta.ResourceVersion != "5" || meta.Continue != "c" ||
			*meta.RemainingItemCount != 3 {
			t.Errorf("%+v, %v", meta, err)
		}
	})
}

func TestListStopsWhenEachFails(t *testing.T) {
	stop := errors.New("enough")
	overBoth(t, func(t *testing.T, start func(http.HandlerFunc) Conn) {
		conn := start(func(w http.ResponseWriter, r *http.Request) {
			send(w, `{"items":[`+widgetJSON("a"))
			<-r.Context().Done() // the client closes the connection
		})
		_, err := Source[*Widget](
			conn,
			widgets,
		).List(t.Context(), metav1.ListOptions{}, func(source.Delta[*Widget], error) error { return stop })
		if !same(err, stop) {
			t.Errorf("got %v", err)
		}
	})
}

func TestListEndsWithItsContext(t *testing.T) {
	reason := errors.New("the program ends")
	overBoth(t, func(t *testing.T, start func(http.HandlerFunc) Conn) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		conn := start(func(w http.ResponseWriter, r *http.Request) {
			send(w, `{"items":[`+widgetJSON("a"))
			<-r.Context().Done()
		})
		_, err := Source[*Widget](
			conn,
			widgets,
		).List(ctx, metav1.ListOptions{}, func(source.Delta[*Widget], error) error {
			cancel(reason)
			return nil
		})
		if !same(err, reason) {
			t.Errorf("got %v", err)
		}
		if _, err = Source[*Widget](conn, widgets).List(ctx, metav1.ListOptions{}, nil); !same(
			err,
			reason,
		) {
			t.Errorf("with a context that has ended: %v", err)
		}
	})
}

func TestListCutOff(t *testing.T) {
	overBoth(t, func(t *testing.T, start func(http.HandlerFunc) Conn) {
		conn := start(func(w http.ResponseWriter, _ *http.Request) {
			send(w, `{"items":[`+widgetJSON("a")+`,`)
			panic(http.ErrAbortHandler)
		})
		items, _, err := collect(Source[*Widget](conn, widgets), t, metav1.ListOptions{})
		wantError(t, err, "list of widgets.example.com, after 1 objects: ")
		if names(items) != "a" {
			t.Errorf("items %s", names(items))
		}
	})
}

func TestSlimType(t *testing.T) {
	overBoth(t, func(t *testing.T, start func(http.HandlerFunc) Conn) {
		conn := start(func(w http.ResponseWriter, _ *http.Request) { send(w, listJSON(widgetJSON("a"))) })
		var nodes []string
		_, err := Source[*slimWidget](
			conn,
			widgets,
		).List(t.Context(), metav1.ListOptions{}, func(item source.Delta[*slimWidget], err error) error {
			nodes = append(nodes, item.Object.Spec.NodeName)
			return err
		})
		if err != nil || len(nodes) != 1 || nodes[0] != "node-a" {
			t.Errorf("%v, %v", nodes, err)
		}
	})
}
