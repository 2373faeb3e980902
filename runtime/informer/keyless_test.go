// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/types"
)

// However many objects of a batch the store refuses, the others are stored: the version of
// the store says that they are.
func TestManyObjectsWithoutKey(t *testing.T) {
	const many = 150
	for when, first := range map[string]bool{"in the first list": true, "in one batch": false} {
		t.Run(when, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := runtimetest.NewServer[*object]()
				s := store.New(func(o *object) types.NamespacedName {
					if strings.HasPrefix(o.Name, "bad") {
						panic("no key")
					}
					return keyOf(o)
				})
				told := 0
				inf := informer.New(widgets, srv, s, informer.WithErrorHandler(func(error) { told++ }))
				rec := &recorder{}
				if !first {
					rec.hold = make(chan struct{})
				}
				inf.AddEventHandler(rec, informer.WithBuffer(1))
				fill := func() {
					srv.Set(widget("early"))
					for i := range many {
						srv.Set(widget(fmt.Sprint("bad", i)))
						if i == many/2 {
							srv.Set(widget("good"))
						}
					}
				}
				want := "ns/early ns/good"
				if first {
					fill()
				}
				start(t, inf)
				synctest.Wait()
				if !first {
					for _, name := range []string{"u1", "u2", "u3"} { // the third waits for room
						srv.Set(widget(name))
						synctest.Wait()
					}
					fill()
					synctest.Wait()
					close(rec.hold)
					want += " ns/u1 ns/u2 ns/u3"
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				if err := inf.WaitForSync(ctx); err != nil {
					t.Fatal(err)
				}
				if err := inf.WaitFor(ctx, srv.ResourceVersion()); err != nil {
					t.Fatal(err)
				}
				if got := strings.Join(held(inf), " "); got != want {
					t.Errorf("the store has %s", got)
				}
				synctest.Wait()
				if told != many {
					t.Errorf("%d errors were told", told)
				}
			})
		})
	}
}
