// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"testing"
	"testing/synctest"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/types"
)

// An informer writes objects under the keys that its source has for them. Whatever the key function of
// its store does, no object is lost.
func TestKeyFunctionOfAStoreIsNotCalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		srv.Set(widget("b"))
		s := store.New(func(*object) types.NamespacedName { panic("called") })
		inf := informer.New(widgets, srv.Source(), s, informer.WithErrorHandler(func(err error) { t.Error(err) }))
		r := &recorder{}
		inf.AddEventHandler(r)
		start(t, inf)
		expect(t, r, "+a* +b*")
		srv.Set(widget("c"))
		srv.Delete("ns", "a")
		expect(t, r, "+c -a")
	})
}
