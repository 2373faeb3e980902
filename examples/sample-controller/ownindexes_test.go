// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package samplecontroller

import (
	"context"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	samplev1alpha1 "k8s.io/sample-controller/pkg/apis/samplecontroller/v1alpha1"
	samplefake "k8s.io/sample-controller/pkg/generated/clientset/versioned/fake"
	sampleinformers "k8s.io/sample-controller/pkg/generated/informers/externalversions"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// TestOwnIndexes adds indexes that depend on configuration beside the emitted one.
func TestOwnIndexes(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	config := struct{ Domain string }{"example.com"}
	factory := sampleinformers.NewSharedInformerFactory(samplefake.NewClientset(&samplev1alpha1.Foo{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a"},
		Spec:       samplev1alpha1.FooSpec{DeploymentName: "web"},
	}), 0)
	if _, err := clientgo.InformerFor(factory, &Foo{}, clientgo.InformerOptions{}); err != nil {
		t.Fatal(err)
	}
	foos := factory.Samplecontroller().V1alpha1().Foos().Informer()
	fooStore, err := clientgo.StoreOf[*Foo](foos)
	if err != nil {
		t.Fatal(err)
	}

	byHost := store.AddIndex(fooStore, "Host", func(dst []string, foo *Foo) []string {
		return append(dst, foo.Spec.DeploymentName+"."+config.Domain)
	})

	err = foos.AddIndexers(cache.Indexers{"host": func(obj any) ([]string, error) {
		return []string{obj.(*Foo).Spec.DeploymentName + "." + config.Domain}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}

	factory.StartWithContext(ctx)
	defer factory.Shutdown()
	defer cancel()
	if err := clientgo.WaitForSync(ctx, foos); err != nil {
		t.Fatal(err)
	}

	want := slices.Collect(NewFooLister(fooStore).ByDeployment("web"))
	typed := slices.Collect(byHost.Get(fooStore.Reader(), "web.example.com"))
	untyped, err := foos.GetIndexer().ByIndex("host", "web.example.com")
	if err != nil || len(want) != 1 || !slices.Equal(typed, want) || len(untyped) != 1 || untyped[0] != any(want[0]) {
		t.Errorf("by the emitted index %v, by AddIndex %v, by AddIndexers %v, %v", want, typed, untyped, err)
	}
}
