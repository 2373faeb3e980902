// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime_test

import (
	"context"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/lister"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func TestFromClient(t *testing.T) {
	clients := map[string]func(client.WithWatch) client.WithWatch{
		"fake": func(c client.WithWatch) client.WithWatch { return c },
		"wrapped": func(c client.WithWatch) client.WithWatch {
			return interceptor.NewClient(c, interceptor.Funcs{})
		},
	}
	for name, wrap := range clients {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, other, unlabeled := newSecret("a", nil), newSecret("a", nil), newSecret("unlabeled", nil)
				other.Namespace = "other"
				a.Labels = map[string]string{"app": "x"}
				other.Labels = a.Labels
				c := wrap(fake.NewClientBuilder().WithScheme(scheme.Scheme).WithObjects(a, other, unlabeled).Build())
				src := ctrlruntime.FromClient(c, "ns", func(l *corev1.SecretList) []corev1.Secret { return l.Items })
				i := informer.New(corev1.SchemeGroupVersion.WithResource("secrets"), src, store.ForObjects[*corev1.Secret](),
					informer.WithReflector(reflector.Settings{LabelSelector: "app=x"}))
				ctx, cancel := context.WithCancel(t.Context())
				ended := make(chan error)
				go func() { ended <- i.Run(ctx) }()
				defer func() {
					cancel()
					if err := <-ended; err != nil {
						t.Error(err)
					}
				}()
				synctest.Wait()
				if !i.HasSynced() {
					t.Fatalf("it has not synced: %v", i.LastError())
				}
				secrets := lister.New(i.Store(), i.Resource().GroupResource())
				got, err := secrets.Namespace("ns").Get("a")
				if err != nil || i.Store().Reader().Len() != 1 {
					t.Fatalf("%d objects, %v", i.Store().Reader().Len(), err)
				}
				changed := got.DeepCopy()
				changed.Data = map[string][]byte{"k": []byte("v")}
				if err := c.Update(ctx, changed); err != nil {
					t.Fatal(err)
				}
				b := newSecret("b", nil)
				b.Labels = a.Labels
				if err := c.Create(ctx, b); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if got, err := secrets.Namespace("ns").Get("a"); err != nil || string(got.Data["k"]) != "v" {
					t.Errorf("after an update: %v, %v", got, err)
				}
				if _, err := secrets.Namespace("ns").Get("b"); err != nil {
					t.Errorf("after an addition: %v", err)
				}
				if err := c.Delete(ctx, b); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if i.Store().Reader().Len() != 1 || i.LastError() != nil {
					t.Errorf("after a deletion: %d objects, %v", i.Store().Reader().Len(), i.LastError())
				}
			})
		})
	}
}
