// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package hub

import (
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// An inbox says that it has waited when it had to read a snapshot or to get a delivery; not when the next call was
// at hand.
func TestInboxSaysThatItHasWaited(t *testing.T) {
	held := store.ForObjects[pod]()
	if err := held.Replace([]pod{named("a"), named("b")}, "1"); err != nil {
		t.Fatal(err)
	}
	whole := Delivery[pod]{after: held.Reader().Snapshot(), whole: true, Initial: true, Last: true, came: 1}
	batch := Delivery[pod]{Changes: whole.read(), after: whole.after, came: 1}
	for name, test := range map[string]struct {
		b inbox[pod]
		d Delivery[pod]
	}{
		"lossless, snapshot":   {newLossless[pod](10, func() {}), whole},
		"lossless, batch":      {newLossless[pod](10, func() {}), batch},
		"coalescing, snapshot": {newCoalescing[pod](func() {}), whole},
		"coalescing, batch":    {newCoalescing[pod](func() {}), batch},
	} {
		test.b.Put(&test.d)
		for n, want := range []bool{true, false} {
			if _, _, ok := test.b.Next(); !ok || test.b.Waited() != want {
				t.Errorf("%s: call %d: %v, waited %v", name, n, ok, test.b.Waited())
			}
		}
	}
}

func named(name string) pod {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: name}}
}
