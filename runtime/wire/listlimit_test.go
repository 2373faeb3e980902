// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// endlessly sends first, and then text again and again, until the client has gone.
func endlessly(w io.Writer, first, text string) {
	_, err := io.WriteString(w, first)
	for many := strings.Repeat(text, 1+1<<15/len(text)); err == nil; {
		_, err = io.WriteString(w, many)
	}
}

func TestEndlessLists(t *testing.T) {
	const limit = 1 << 20
	item := widgetJSON("a")
	for name, test := range map[string]struct{ first, text string }{
		"objects":     {`{"items":[` + item, `,` + item},
		"white space": {`{"items":[`, " \n"},
		"members":     {`{"items":[]`, `,"x":1`},
		"events":      {"", eventJSON("ADDED", item)},
		"bookmarks":   {"", bookmark},
	} {
		t.Run(name, func(t *testing.T) {
			overBoth(t, func(t *testing.T, start func(http.HandlerFunc) Conn) {
				conn := start(func(w http.ResponseWriter, r *http.Request) {
					endlessly(w, test.first, test.text)
				})
				conn.MaxListBytes = limit
				src := Source[*Widget](conn, widgets)
				n := 0
				count := func(source.Delta[*Widget], error) error {
					n++
					return nil
				}
				var err error
				if test.first != "" {
					_, err = src.List(t.Context(), metav1.ListOptions{}, count)
				} else {
					err = src.Watch(t.Context(), metav1.ListOptions{SendInitialEvents: new(true)},
						func(d source.Delta[*Widget], _ string, err error) error { return count(d, err) })
				}
				if !errors.Is(err, ErrListTooLarge) {
					t.Errorf("got %v", err)
				}
				wantError(t, err, "widgets.example.com", "1048576", "raise that")
				if most := limit/len(test.text) + 2; n > most {
					t.Errorf("%d of at most %d objects", n, most)
				}
			})
		})
	}
}

func TestListsOfTheSizeThatIsAllowed(t *testing.T) {
	text := listJSON(widgetJSON("a"), widgetJSON("b"))
	conn := serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		send(w, text)
	})
	for less, fails := range map[int64]bool{-1: false, 0: false, 1: true, 10: true} {
		conn.MaxListBytes = int64(len(text)) - less
		_, _, err := collect(Source[*Widget](conn, widgets), t, metav1.ListOptions{})
		if errors.Is(err, ErrListTooLarge) != fails || (err != nil) != fails {
			t.Errorf("%d bytes less than the list has: %v", less, err)
		}
	}
}

// What counts is what there is to decode, not what came over the network.
func TestCompressedListsAreMeasuredInflated(t *testing.T) {
	conn := serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "gzip" {
			t.Errorf("Accept-Encoding %q", r.Header.Get("Accept-Encoding"))
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, `{"items":[`+strings.Repeat(" ", 1<<20)+"]}")
		_ = z.Close()
	})
	conn.MaxListBytes = 1 << 20
	if _, _, err := collect(Source[*Widget](conn, widgets), t, metav1.ListOptions{}); !errors.Is(
		err,
		ErrListTooLarge,
	) {
		t.Errorf("got %v", err)
	}
}

// A small compressed response can have millions of items, which must not outlive the context.
func TestCompressedListEndsWithItsContext(t *testing.T) {
	const items = 500_000
	conn := serve(t, false, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaProtobuf)
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, listMessage(make([][]byte, items)...))
		_ = z.Close()
	})
	ctx, cancel := context.WithCancelCause(t.Context())
	count, ended := 0, errors.New("ended")
	_, err := Source[*Gadget](conn, widgets).List(ctx, metav1.ListOptions{}, func(source.Delta[*Gadget], error) error {
		count++
		cancel(ended)
		return nil
	})
	if !errors.Is(err, ended) || count > busyBufferBytes {
		t.Errorf("%v after %d items", err, count)
	}
}

func TestChangesHaveNoLimit(t *testing.T) {
	const changes = 1000
	conn := serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Get("sendInitialEvents") != "" {
			send(w, eventJSON("ADDED", widgetJSON("a"))+bookmarkEnd)
		}
		send(w, strings.Repeat(eventJSON("ADDED", widgetJSON("b")), changes))
	})
	conn.MaxListBytes = 4 << 10
	for _, initial := range []*bool{nil, new(true)} {
		events, err := drain(
			Source[*Widget](conn, widgets),
			t,
			metav1.ListOptions{SendInitialEvents: initial},
		)
		if err != nil || len(events) < changes {
			t.Errorf("%d events, %v", len(events), err)
		}
	}
}

// The limit holds for all pages of a list together, and for each list anew.
func TestPagesCountTogether(t *testing.T) {
	text := listJSON(widgetJSON("a"), widgetJSON("b")) // its token is "next"
	size := int64(len(text))
	const pages = 5
	conn := serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		page, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Query().Get("continue"), "nex"))
		send(w, strings.Replace(text, `"next"`, fmt.Sprintf(`"nex%d"`, page+1), 1))
	})
	conn.MaxListBytes = pages*size + size/2
	src := Source[*Widget](conn, widgets)
	type list struct{ token string }
	next := func(l *list) error {
		_, meta, err := collect(src, t, metav1.ListOptions{Limit: 2, Continue: l.token})
		l.token = meta.Continue
		return err
	}
	for range 3 { // lists that are given up after their first page
		if err := next(&list{}); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		var l list
		for i := range pages {
			if err := next(&l); err != nil {
				t.Fatalf("page %d: %v", i, err)
			}
		}
		err := next(&l)
		wantError(
			t,
			err,
			"widgets.example.com",
			strconv.FormatInt(conn.MaxListBytes, 10),
			"by namespaces or selectors",
		)
		if !errors.Is(err, ErrListTooLarge) {
			t.Errorf("page %d: %v", pages, err)
		}
	}
}
