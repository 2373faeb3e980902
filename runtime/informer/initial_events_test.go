// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"errors"
	"testing"
	"testing/synctest"

	st "github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"k8s.io/apimachinery/pkg/types"
)

// What comes among the initial events of a WatchList and cannot be decoded leaves the state
// that came before, as it does in a watch: stale, and not gone.
func TestInitialEventsKeepTheLastKnownState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := widget("a")
		a.ResourceVersion = "5"
		key := types.NamespacedName{Namespace: a.Namespace, Name: a.Name}
		src := (&st.Script[*object]{}).Watches(st.Stream(
			st.Added(a),
			st.Send(st.Undecodable[*object](key.Namespace, key.Name, errors.New("undecodable")), "7"),
			st.InitialEventsEnd[*object]("8"),
			st.Hang[*object](),
		))
		inf := newInformer(src)
		stop := start(t, inf)
		defer stop()
		synctest.Wait()
		r := inf.Store().Reader()
		if got, ok := r.Get(key); !ok || got.ResourceVersion != "5" || !r.Stale(key) || !inf.HasSynced() {
			t.Errorf("%v %v, stale %v, synced %v", got, ok, r.Stale(key), inf.HasSynced())
		}
	})
}
