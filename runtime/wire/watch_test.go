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
	"sync"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	bookmark    = `{"type":"BOOKMARK","object":{"kind":"Widget","apiVersion":"example.com/v1","metadata":{"resourceVersion":"50","creationTimestamp":null},"spec":{}}}` + "\n"
	bookmarkEnd = `{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"51","annotations":{"k8s.io/initial-events-end":"true"}}}}` + "\n"
	expired     = `{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old resource version: 1 (9)","reason":"Expired","code":410}}` + "\n"
)

func TestWatchDecoder(t *testing.T) {
	a, b := widgetJSON("a"), widgetJSON("b")
	for name, test := range map[string]struct {
		text   string
		events string
		err    []string
	}{
		"nothing": {},
		"blank":   {text: "\n\n"},
		"all types": {
			text:   eventJSON("ADDED", a) + eventJSON("MODIFIED", a) + bookmark + eventJSON("DELETED", a) + bookmarkEnd,
			events: "Added(a@7) Updated(a@7) Bookmark(@50) Deleted(a@7) InitialEnd(@51)",
		},
		"object first":     {text: `{"object":` + a + `,"type":"ADDED"}`, events: "Added(a@7)"},
		"without newlines": {text: strings.ReplaceAll(eventJSON("ADDED", a)+eventJSON("ADDED", b), "\n", ""), events: "Added(a@7) Added(b@7)"},
		"spacious":         {text: " {\n \"type\" : \"ADDED\" ,\r\n\t\"object\" : " + a + " } \n\n", events: "Added(a@7)"},
		"unknown members":  {text: `{"x":[{}],"type":"ADDED","object":` + a + `,"y":1}`, events: "Added(a@7)"},
		"case matters":     {text: `{"Type":"DELETED","type":"ADDED","object":` + a + `}`, events: "Added(a@7)"},
		"wrong type": {
			text:   eventJSON("ADDED", a) + eventJSON("MODIFIED", `{"metadata":{"name":"x","resourceVersion":"8"},"spec":5}`) + eventJSON("ADDED", b),
			events: "Added(a@7) Stale(!/x@8) Added(b@7)",
		},
		"deleted of wrong type": {text: eventJSON("DELETED", `{"spec":5,"metadata":{"name":"x","namespace":"ns","resourceVersion":"8"}}`), events: "Deleted(!ns/x@8)"},
		"no object at all":      {text: eventJSON("ADDED", `null`) + eventJSON("ADDED", b), events: "NoKey(!@) Added(b@7)"},
		"not UTF-8":             {text: eventJSON("ADDED", `{"metadata":{"name":"x"},"spec":{"nodeName":"`+"\xc3"+`"}}`), events: "Stale(!/x@)"},
		"unknown type":          {text: eventJSON("RENAMED", a), err: []string{"RENAMED", "before byte"}},
		"type of no type":       {text: `{"type":1,"object":` + a + `}`, err: []string{"type"}},
		"no type":               {text: `{"object":` + a + `}`, err: []string{`type ""`}},
		"no object":             {text: `{"type":"ADDED"}`, err: []string{"no object"}},
		"two objects":           {text: `{"type":"ADDED","object":A,"object":{}}`, err: []string{"two objects", "byte 38"}},
		"two types":             {text: `{"type":"ADDED","object":` + a + `,"type":"BOOKMARK"}`, err: []string{"two types"}},
		"not an event":          {text: `5`, err: []string{"not JSON", "'5'"}},
		"a list":                {text: listJSON(a), err: []string{"no object"}},
		"bad bookmark":          {text: eventJSON("BOOKMARK", `{"metadata":{"resourceVersion":5}}`), err: []string{"bookmark"}},
		"bookmark of nothing":   {text: eventJSON("BOOKMARK", `null`), err: []string{"bookmark"}},
		"410":                   {text: eventJSON("ADDED", a) + expired, events: "Added(a@7)", err: []string{"too old resource version"}},
		"error without status":  {text: eventJSON("ERROR", `{"oops":1}`), err: []string{"oops"}},
		"cut in an event":       {text: eventJSON("ADDED", a) + eventJSON("ADDED", b)[:40], events: "Added(a@7)", err: []string{"after 1 events", "unexpected EOF"}},
		"syntax in an event":    {text: eventJSON("ADDED", a) + `{"type":"ADDED" "object":{}}`, events: "Added(a@7)", err: []string{"not JSON", "','"}},
		"syntax in an object":   {text: eventJSON("ADDED", `{"metadata":{"name":"x"},}`) + eventJSON("ADDED", b), err: []string{"not JSON"}},
		"syntax in a skipped":   {text: `{"x":{,},"type":"ADDED","object":` + a + `}`, err: []string{"not JSON", `"x"`}},
		"brackets crossed":      {text: `{"type":"ADDED","object":[}}`, err: []string{"after 0 events", "not JSON"}},
		"closing bracket":       {text: `]`, err: []string{"not JSON"}},
		"comma":                 {text: eventJSON("ADDED", a) + "," + eventJSON("ADDED", b), events: "Added(a@7)", err: []string{"not JSON", "','"}},
		"huge":                  {text: eventJSON("ADDED", `{"metadata":{"name":"big"},"x":"`+strings.Repeat("y", testLimit)+`"}`), err: []string{"big", "MaxObjectBytes"}},
		"endless":               {text: strings.Repeat(`{"type":`, testLimit), err: []string{"MaxObjectBytes"}},
		"endless word":          {text: strings.Repeat(`t`, 2*testLimit), err: []string{"MaxObjectBytes"}},
		"deep":                  {text: eventJSON("ADDED", strings.Repeat("[", 20000)+strings.Repeat("]", 20000)), err: []string{"not JSON"}},
	} {
		t.Run(name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{"whole": strings.NewReader(test.text), "by bytes": byBytes(test.text)} {
				events, err := decodeWatch(r, testLimit)
				if got := eventNames(events); got != test.events {
					t.Errorf("%s: events %q, want %q", how, got, test.events)
				}
				if len(test.err) > 0 {
					wantError(t, err, test.err...)
				} else if err != nil {
					t.Errorf("%s: %v", how, err)
				}
			}
		})
	}
}

func TestWatchFramesArriveAsSent(t *testing.T) {
	overBoth(t, func(t *testing.T, start func(http.HandlerFunc) Conn) {
		seen := make(chan string)
		conn := start(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("watch") != "true" {
				t.Errorf("query %s", r.URL.RawQuery)
			}
			a, b := eventJSON("ADDED", widgetJSON("a")), eventJSON("MODIFIED", widgetJSON("b"))
			send(w, a+b[:30])
			if got := <-seen; got != "Added(a@7)" { // b is only half there
				t.Errorf("got %s", got)
			}
			for _, piece := range strings.SplitAfter(b[30:], ",") {
				send(w, piece)
			}
			if got := <-seen; got != "Updated(b@7)" {
				t.Errorf("got %s", got)
			}
			send(w, bookmarkEnd)
			if got := <-seen; got != "InitialEnd(@51)" {
				t.Errorf("got %s", got)
			}
		})
		err := Source[*Widget](conn, widgets, InNamespace("ns")).Watch(t.Context(), metav1.ListOptions{},
			func(d source.Delta[*Widget], version string, err error) error {
				seen <- eventNames([]item[*Widget]{{d, version, err}})
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestWatchErrorInStream(t *testing.T) {
	overBoth(t, func(t *testing.T, start func(http.HandlerFunc) Conn) {
		conn := start(
			func(w http.ResponseWriter, _ *http.Request) { send(w, eventJSON("ADDED", widgetJSON("a"))+expired) },
		)
		events, err := drain(Source[*Widget](conn, widgets), t, metav1.ListOptions{ResourceVersion: "1"})
		if !apierrors.IsResourceExpired(err) || len(events) != 1 {
			t.Errorf("%v after %d events", err, len(events))
		}
		if _, isStatus := errors.AsType[*apierrors.StatusError](err); !isStatus {
			t.Errorf("%T", err)
		}
	})
}

func TestWatchCutOff(t *testing.T) {
	overBoth(t, func(t *testing.T, start func(http.HandlerFunc) Conn) {
		for _, tail := range []string{"", `{"type":"ADD`} {
			conn := start(func(w http.ResponseWriter, _ *http.Request) {
				send(w, eventJSON("ADDED", widgetJSON("a"))+tail)
				panic(http.ErrAbortHandler)
			})
			events, err := drain(Source[*Widget](conn, widgets), t, metav1.ListOptions{})
			wantError(t, err, "watch of widgets.example.com, after 1 events: ")
			if len(events) != 1 {
				t.Errorf("%d events", len(events))
			}
		}
	})
}

func TestWatchEndsInOrder(t *testing.T) {
	overBoth(t, func(t *testing.T, start func(http.HandlerFunc) Conn) {
		conn := start(
			func(w http.ResponseWriter, _ *http.Request) { send(w, eventJSON("ADDED", widgetJSON("a"))) },
		)
		if events, err := drain(Source[*Widget](conn, widgets), t, metav1.ListOptions{}); err != nil ||
			len(events) != 1 {
			t.Errorf("%v after %d events", err, len(events))
		}
	})
}

func TestWatchEndsWithAnErrorOfItsCaller(t *testing.T) {
	overBoth(t, func(t *testing.T, start func(http.HandlerFunc) Conn) {
		gone := make(chan struct{})
		conn := start(func(w http.ResponseWriter, r *http.Request) {
			defer close(gone)
			send(w, eventJSON("ADDED", widgetJSON("a")))
			<-r.Context().Done()
		})
		enough := errors.New("enough")
		err := Source[*Widget](conn, widgets).Watch(t.Context(), metav1.ListOptions{},
			func(source.Delta[*Widget], string, error) error { return enough })
		if err != enough {
			t.Errorf("got %v", err)
		}
		<-gone
	})
}

func TestWatchEndsWithItsContext(t *testing.T) {
	reason := errors.New("the program ends")
	overBoth(t, func(t *testing.T, start func(http.HandlerFunc) Conn) {
		ctx, cancel := context.WithCancelCause(t.Context())
		defer cancel(nil)
		conn := start(func(w http.ResponseWriter, r *http.Request) {
			send(w, eventJSON("ADDED", widgetJSON("a")))
			<-r.Context().Done()
		})
		last := Source[*Widget](conn, widgets).Watch(ctx, metav1.ListOptions{},
			func(source.Delta[*Widget], string, error) error { cancel(reason); return nil })
		if !same(last, reason) {
			t.Errorf("got %v", last)
		}
	})
}

// A source is shared by lists and watches that run at the same time.
func TestSourceIsConcurrent(t *testing.T) {
	overBoth(t, func(t *testing.T, start func(http.HandlerFunc) Conn) {
		conn := start(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Query().Get("watch") == "true" {
				send(w, strings.Repeat(eventJSON("ADDED", widgetJSON("a")), 20))
			} else {
				send(w, listJSON(widgetJSON("a"), widgetJSON("b")))
			}
		})
		src := Source[*Widget](conn, widgets)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				events, err := drain(src, t, metav1.ListOptions{})
				if err != nil || names(events) != strings.Repeat("a ", 19)+"a" {
					t.Errorf("%v, %v", events, err)
				}
			})
			group.Go(func() {
				if items, _, err := collect(src, t, metav1.ListOptions{}); err != nil ||
					names(items) != "a b" {
					t.Errorf("%v, %v", names(items), err)
				}
			})
		}
		group.Wait()
	})
}
