// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package wire

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// A Map over Own modifies objects in place, list after list, while readers read the cached ones. It needs the race
// detector.
func TestMapModifiesOwnObjectsDuringRelists(t *testing.T) {
	const managed = `{"metadata":{"namespace":"ns","name":%q,"uid":"1","resourceVersion":"1",` +
		`"labels":{"app":"x"},"managedFields":[{"manager":"m","fieldsV1":{"f:spec":{}}}]}}`
	var lists atomic.Int64
	conn := serve(t, false, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Get("watch") != "" {
			w.WriteHeader(http.StatusGone)
			send(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410}`)
			return
		}
		lists.Add(1)
		all := listJSON(fmt.Sprintf(managed, "a"), fmt.Sprintf(managed, "b"))
		send(w, strings.Replace(all, `,"continue":"next"`, "", 1))
	})
	src := source.Map(source.Own(Source[*Widget](conn, widgets)), func(w *Widget) (*Widget, error) {
		w.SetManagedFields(nil)
		w.Labels["stripped"] = "true"
		return w, nil
	})
	i := informer.New(widgets, src, store.ForObjects[*Widget](), informer.WithReflector(reflector.Settings{
		NoWatchList: true, Backoff: reflector.Backoff{Initial: time.Millisecond, Max: time.Millisecond},
	}))
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if err := i.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	defer running.Wait()
	defer cancel()
	if err := i.WaitForSync(ctx); err != nil {
		t.Fatal(err)
	}
	var first *Widget
	for lists.Load() < 20 {
		for w := range i.Store().Reader().All() {
			if len(w.ManagedFields) > 0 || w.Labels["stripped"] != "true" {
				t.Fatalf("%s is as the server sent it: %v", w.Name, w.ObjectMeta)
			}
			if w.Name == "a" {
				if first == nil {
					first = w
				}
				if w != first {
					t.Fatal("an unchanged object was replaced")
				}
			}
		}
	}
}
