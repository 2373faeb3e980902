// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package page_test

import (
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/metrics"
	"github.com/indexer-gen/indexer-gen/runtime/page"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// stats returns the statistics of two informers, as seen now.
func stats(t *testing.T) []informer.Stats {
	t.Helper()
	s := store.ForObjects[*metav1.PartialObjectMetadata]()
	store.AddIndex(s, "BySite", func(dst []string, obj *metav1.PartialObjectMetadata) []string {
		return append(dst, obj.Labels["site"])
	})
	type siteZoneKey struct {
		Site string
		Zone types.NamespacedName
	}
	store.AddIndex(s, "BySiteZone", func(dst []siteZoneKey, obj *metav1.PartialObjectMetadata) []siteZoneKey {
		return append(dst, siteZoneKey{Site: obj.Labels["site"], Zone: types.NamespacedName{Namespace: "zones", Name: "z"}})
	})
	store.AddLabels(s)
	store.AddUnique(s, "BySerial", func(dst []string, obj *metav1.PartialObjectMetadata) []string {
		if serial := obj.Labels["serial"]; serial != "" {
			dst = append(dst, serial)
		}
		return dst
	})
	for _, obj := range []struct{ name, site, serial string }{
		{"a", "berlin", "1"}, {"b", "berlin", "2"}, {"c", "berlin", "3"}, {"d", "<oslo>", "4"},
		{"e", "rome", ""}, {"f", "bonn", ""}, {"g", "kyiv", "7"}, {"h", "kyiv", "7"},
	} {
		s.Set(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Namespace: "lab", Name: obj.name, Labels: map[string]string{"site": obj.site, "serial": obj.serial},
		}})
	}
	stale := delta.Batch[types.NamespacedName, *metav1.PartialObjectMetadata]{Deltas: []delta.Delta[types.NamespacedName, *metav1.PartialObjectMetadata]{
		{Type: delta.Stale, NoObject: true, Key: types.NamespacedName{Namespace: "lab", Name: "a"}},
	}}
	store.NewFeeder(s, nil).Apply(&stale)
	var calls metrics.Timing
	calls.Observe(time.Millisecond)
	now := time.Now()
	return []informer.Stats{{
		Resource: "devices.lab.example.com/v1", Synced: true, Present: true, Objects: s.Reader().Len(),
		Sources: []informer.SourceStats{{Stats: reflector.Stats{
			Progress: reflector.Progress{
				Doing: reflector.EventWatching, Since: now.Add(-90 * time.Minute), Objects: 8,
				LastError: errors.New(`devices.lab.example.com is forbidden: "list" <verb>`),
			},
			ResourceVersion: "4711", Heard: now.Add(-1500 * time.Millisecond),
		}}},
		Handlers: []informer.HandlerStats{
			{Name: "audit", Synced: true, Calls: calls.Distribution()},
			{Name: "reports", Pending: 12, Oldest: 3 * time.Second, Calling: 250 * time.Millisecond, Panics: 1,
				Calls: calls.Distribution(), Blocked: 2 * time.Minute},
		},
		IndexErrors: map[string]int64{"BySite": 2},
		Contents:    s.Reader(),
	}, {
		Resource: "sites.lab.example.com/v1", Name: "second",
		Sources: []informer.SourceStats{{Name: "north", Stats: reflector.Stats{
			Progress: reflector.Progress{Doing: reflector.EventWaiting, Since: now, Failures: 3},
		}}},
		Contents: store.ForObjects[*metav1.PartialObjectMetadata]().Reader(),
	}}
}

// The page is compared with testdata, which UPDATE=1 writes.
func TestPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handler := page.Handler(func() []informer.Stats { return stats(t) })
		for golden, request := range map[string]struct{ target, accept, kind string }{
			"page.html": {"/", "text/html,*/*", "text/html; charset=utf-8"},
			"page.json": {"/?format=json", "text/html", "application/json"},
		} {
			r := httptest.NewRequest("GET", request.target, nil)
			r.Header.Set("Accept", request.accept)
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if kind := w.Header().Get("Content-Type"); w.Code != 200 || kind != request.kind {
				t.Errorf("%s: %d, %s", golden, w.Code, kind)
			}
			file := filepath.Join("testdata", golden)
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(file, w.Body.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if w.Body.String() != string(want) {
				t.Errorf("%s differs; UPDATE=1 go test writes it. The page is now\n%s", file, w.Body)
			}
		}
	})
}

// The page answers programs with JSON, shows that there is nothing, and refuses writes.
func TestRequests(t *testing.T) {
	handler := page.Handler(func() []informer.Stats { return nil })
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept", "application/json")
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	if w.Body.String() != "[]" {
		t.Errorf("no informers are %s", w.Body)
	}
	for method, want := range map[string]int{"HEAD": 200, "POST": 405, "DELETE": 405} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(method, "/", nil))
		if w.Code != want {
			t.Errorf("%s: %d", method, w.Code)
		}
	}
}

// Statistics without contents are shown, and long texts are cut.
func TestUnusualStats(t *testing.T) {
	s := store.ForObjects[*metav1.PartialObjectMetadata]()
	store.AddIndex(s, "ByText", func(dst []string, _ *metav1.PartialObjectMetadata) []string {
		return append(dst, strings.Repeat("é", 500_000))
	})
	s.Set(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: "a"}})
	long := informer.Stats{Resource: "longs", Contents: s.Reader(), Sources: []informer.SourceStats{{Stats: reflector.Stats{
		Progress: reflector.Progress{LastError: errors.New(strings.Repeat("x", 1_000_000))},
	}}}}
	handler := page.Handler(func() []informer.Stats { return []informer.Stats{{}, long} })
	for _, target := range []string{"/", "/?format=json"} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
		if n := w.Body.Len(); w.Code != 200 || n > 10_000 || !strings.Contains(w.Body.String(), "éé…") {
			t.Errorf("%s: %d, %d bytes", target, w.Code, n)
		}
		if w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s lacks nosniff", target)
		}
	}
}
