// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"errors"
	"testing"
	"testing/synctest"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// If an index function fails, the informer reports the error, stores the object without that index, and
// notifies the handlers.
func TestIndexFunctionFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("bad"))
		srv.Set(widget("good"))
		var reported []error
		inf := newInformer(
			srv,
			informer.WithErrorHandler(func(err error) { reported = append(reported, err) }),
		)
		byName := store.AddIndex(inf.Store(), "name", func(dst []string, o *object) []string {
			if o.Name == "bad" {
				panic("no")
			}
			return append(dst, o.Name)
		})
		r := &recorder{}
		inf.AddEventHandler(r)
		start(t, inf)
		expect(t, r, "+bad* +good*")
		if reader := inf.Store().Reader(); reader.Len() != 2 || byName.Count(reader, "good") != 1 ||
			byName.Count(reader, "bad") != 0 {
			t.Errorf("%d objects", reader.Len())
		}
		var ie *store.IndexError
		if len(reported) != 1 || !errors.As(reported[0], &ie) || ie.Index != "name" || ie.Key != "ns/bad" ||
			!errors.As(inf.LastError(), &ie) {
			t.Errorf("reported %v, last error %v", reported, inf.LastError())
		}
	})
}
