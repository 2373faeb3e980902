// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// The size of all objects follows lists, additions and deletions. It bounds what decoders remember.
func TestSizeOfAllObjectsIsKnown(t *testing.T) {
	item := widgetJSON("a")
	event := int64(len(eventJSON("ADDED", item)))
	overBoth(t, func(t *testing.T, start func(http.HandlerFunc) Conn) {
		var body string
		conn := start(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
		src := Source[*Widget](conn, widgets).ListerWatcher.(*httpSource[*Widget])
		expect := func(what string, want int64) {
			t.Helper()
			if got := src.decoders.held.Load(); got < want-2 || got > want+500 {
				t.Errorf("%s: %d bytes instead of %d", what, got, want)
			}
		}
		list := func(opts metav1.ListOptions, n int) {
			t.Helper()
			body = listJSON(strings.Split(strings.Repeat(item+"\n", n-1)+item, "\n")...)
			if n == 10 { // the last page
				body = strings.Replace(body, `,"continue":"next"`, "", 1)
			}
			if _, err := src.List(t.Context(), opts, func(source.Delta[*Widget], error) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
		watch := func(opts metav1.ListOptions, events string) {
			t.Helper()
			body = events
			if _, err := drain(src, t, opts); err != nil {
				t.Fatal(err)
			}
		}
		size := int64(len(item))
		list(metav1.ListOptions{}, 100)
		expect("a list", 100*size)
		list(metav1.ListOptions{Continue: "next"}, 50)
		expect("its second page", 150*size)
		list(metav1.ListOptions{}, 20)
		expect("a shorter list", 20*size)
		added, deleted := eventJSON("ADDED", item), eventJSON("DELETED", item)
		watch(metav1.ListOptions{}, strings.Repeat(added, 30)+strings.Repeat(eventJSON("MODIFIED", item), 9))
		expect("additions", 20*size+30*event)
		watch(metav1.ListOptions{}, strings.Repeat(deleted, 30))
		expect("deletions", 20*size)
		watch(metav1.ListOptions{SendInitialEvents: new(true)}, strings.Repeat(added, 5))
		expect("an incomplete WatchList", 20*size)
		watch(metav1.ListOptions{SendInitialEvents: new(true)}, strings.Repeat(added, 5)+bookmarkEnd+added)
		expect("a WatchList", 6*event)

		remembered := func(what string, held int64) {
			t.Helper()
			cache := reflect.ValueOf(src.decoders.json.Load()).Elem().FieldByName("cache").Elem()
			if got, most := cache.FieldByName("budget").Int(), max(held/10, 64<<10); got < most*9/10 || got > most*2 {
				t.Errorf("%s: the decoder remembers %d bytes instead of %d", what, got, most)
			}
		}
		list(metav1.ListOptions{}, 20_000)
		remembered("a long list", 20_000*size)
		list(metav1.ListOptions{}, 10)
		remembered("a short list", 10*size)
		watch(metav1.ListOptions{SendInitialEvents: new(true)}, strings.Repeat(added, 20_000)+bookmarkEnd)
		remembered("a long WatchList", 20_000*event)
		watch(metav1.ListOptions{}, strings.Repeat(deleted, 20_000))
		remembered("deletions", 0)
	})
}
