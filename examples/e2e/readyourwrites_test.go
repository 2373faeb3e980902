// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
)

// Over a connection that always lags behind, a read that waits sees every write of the
// client, deletions included, and one that does not wait sees the state before.
func TestReadYourWrites(t *testing.T) {
	ns := fresh("writes")
	client := typedClient(t, ns)
	ctx := deadline(t)
	f := newFront(t, server.PlainURL)
	f.show(slow)
	s := suffer(t, server.HTTPClient(), f.URL, ns)
	devices := s.Lister()
	lagged := 0
	// seen waits for what a write returned.
	seen := func(d *fleet.Device, err error) *fleet.Device {
		t.Helper()
		if err == nil {
			err = devices.WaitFor(ctx, d.ResourceVersion)
		}
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for i := range 20 {
		key := types.NamespacedName{Namespace: ns, Name: fmt.Sprint("device-", i)}
		d, err := client.Create(ctx, device(ns, key.Name, "berlin", "m1"), metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := devices.Lookup(key); !ok {
			lagged++
		}
		seen(d, nil)
		if _, ok := devices.Lookup(key); !ok {
			t.Fatalf("%s was created, and is not seen", key)
		}

		d.Spec.Site = "lyon"
		d = seen(client.Update(ctx, d, metav1.UpdateOptions{}))
		expect(t, "BySite(lyon)", devices.BySite("lyon"), key.Name)

		if i%2 == 0 { // the deletion is all that is waited for, or the last of two writes
			d.Spec.Site = "boston"
			if d, err = client.Update(ctx, d, metav1.UpdateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
		if err := client.Delete(ctx, d.Name, metav1.DeleteOptions{}); err != nil {
			t.Fatal(err)
		}
		// A deletion returns no version, but it ends the UID.
		if err := devices.Reader().WaitUntil(ctx, func(now reader) bool {
			held, exists := now.Get(key)
			return !exists || held.UID != d.UID
		}); err != nil {
			t.Fatal(err)
		}
		if _, ok := devices.Lookup(key); ok {
			t.Fatalf("%s was deleted, and is seen", key)
		}
	}
	if lagged == 0 {
		t.Error("the cache never lagged: this shows nothing")
	}
}
