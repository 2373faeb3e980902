// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package differential

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// A consumer that resyncs while it processes an object gets the new state again, from both queues. A Resync of
// client-go waits for the end of the processing.
func TestResyncDuringProcessing(t *testing.T) {
	state := func(version string) *metav1.ObjectMeta {
		return &metav1.ObjectMeta{Name: "a", ResourceVersion: version}
	}
	var ours, theirs []string
	known := store.ForObjects[*metav1.ObjectMeta]()
	if err := known.Set(state("1")); err != nil {
		t.Fatal(err)
	}
	q := queue.NewDeltaFIFO(known.Reader())
	if err := q.Push(t.Context(), delta.New(delta.Updated, store.KeyOf(state("2")), state("2")), ""); err != nil {
		t.Fatal(err)
	}
	for n := range 2 {
		err := q.Pop(t.Context(), func(b *delta.Batch[types.NamespacedName, *metav1.ObjectMeta]) error {
			if n == 0 {
				if err := q.Resync(); err != nil {
					return err
				}
			}
			for _, d := range b.Deltas {
				ours = append(ours, fmt.Sprint(d.Type, " ", d.Object.ResourceVersion))
			}
			return known.Set(b.Deltas[0].Object)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	objects := cache.NewStore(cache.MetaNamespaceKeyFunc)
	if err := objects.Add(state("1")); err != nil {
		t.Fatal(err)
	}
	fifo := cache.NewDeltaFIFOWithOptions(cache.DeltaFIFOOptions{KnownObjects: objects})
	if err := fifo.Update(state("2")); err != nil {
		t.Fatal(err)
	}
	resynced := make(chan error, 1)
	for n := range 2 {
		_, err := fifo.Pop(func(obj any, _ bool) error {
			if n == 0 {
				go func() { resynced <- fifo.Resync() }()
			}
			for _, d := range obj.(cache.Deltas) {
				theirs = append(theirs, fmt.Sprint(d.Type, " ", d.Object.(*metav1.ObjectMeta).ResourceVersion))
			}
			return objects.Update(obj.(cache.Deltas).Newest().Object)
		})
		if err != nil {
			t.Fatal(err)
		}
		if n == 0 {
			if err := <-resynced; err != nil {
				t.Fatal(err)
			}
		}
	}
	if fmt.Sprint(ours) != fmt.Sprint(theirs) {
		t.Errorf("our queue gave %v, client-go's %v", ours, theirs)
	}
}
