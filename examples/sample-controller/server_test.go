// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package samplecontroller

import (
	"context"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/cache"
	samplev1alpha1 "k8s.io/sample-controller/pkg/apis/samplecontroller/v1alpha1"
	clientset "k8s.io/sample-controller/pkg/generated/clientset/versioned"
	sampleinformers "k8s.io/sample-controller/pkg/generated/informers/externalversions"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// requests counts requests to the API server for Foos.
type requests struct {
	next           http.RoundTripper
	lists, watches atomic.Int64
}

func (r *requests) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.URL.Query().Get("watch") != "" {
		r.watches.Add(1)
	} else if request.Method == http.MethodGet {
		r.lists.Add(1)
	}
	return r.next.RoundTrip(request)
}

// TestOneWatch reads Foos of a real API server in every way at once. Indexes of the same name do not get in
// each other's way.
func TestOneWatch(t *testing.T) {
	server, err := apiserver.Start(t.Context(), apiserver.Options{CRDs: []string{"testdata"}, Progress: t.Output()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	}()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	config, sent := restconfig.New(server.Endpoint), &requests{}
	writer, err := clientset.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	config.WrapTransport = func(next http.RoundTripper) http.RoundTripper {
		sent.next = next
		return sent
	}
	client, err := clientset.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	create := func(name string) *samplev1alpha1.Foo {
		foo, err := writer.SamplecontrollerV1alpha1().Foos("default").Create(ctx, &samplev1alpha1.Foo{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec:       samplev1alpha1.FooSpec{DeploymentName: "deployment-of-" + name, Replicas: new(int32(3))},
		}, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return foo
	}
	create("a")

	factory := sampleinformers.NewSharedInformerFactory(client, 0)
	if _, err := clientgo.InformerFor(factory, &Foo{}, clientgo.InformerOptions{}); err != nil {
		t.Fatal(err)
	}
	foos := factory.Samplecontroller().V1alpha1().Foos()
	replicas := func(foo *Foo) int32 { return *foo.Spec.Replicas }
	err = foos.Informer().AddIndexers(cache.Indexers{"Deployment": func(obj any) ([]string, error) {
		return []string{obj.(*Foo).Namespace + "/" + obj.(*Foo).Spec.DeploymentName}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := clientgo.StoreOf[*Foo](foos.Informer())
	if err != nil {
		t.Fatal(err)
	}
	typed := NewFooLister(s)
	byReplicas := store.AddIndex(s, "Deployment", func(dst []int32, foo *Foo) []int32 { return append(dst, replicas(foo)) })
	added := make(chan string, 4)
	for _, opts := range [][]informer.HandlerOption{nil, {informer.WithCoalescing()}} {
		_, err := clientgo.AddEventHandler(foos.Informer(),
			cache.ResourceEventHandlerFuncs{AddFunc: func(obj any) { added <- obj.(*Foo).Name }}, opts...)
		if err != nil {
			t.Fatal(err)
		}
	}
	factory.StartWithContext(ctx)
	defer factory.Shutdown()
	defer cancel()
	if err := clientgo.WaitForSync(ctx, foos.Informer()); err != nil {
		t.Fatal(err)
	}
	b := create("b")
	if err := s.Reader().WaitFor(ctx, b.ResourceVersion); err != nil {
		t.Fatal(err)
	}

	byClientGo, err := foos.Lister().Foos("default").Get("b")
	if err != nil {
		t.Fatal(err)
	}
	byString, err := foos.Informer().GetIndexer().ByIndex("Deployment", "default/deployment-of-b")
	if err != nil || len(byString) != 1 || byString[0] != any(byClientGo) {
		t.Errorf("by string index: %v, %v", byString, err)
	}
	if got := slices.Collect(typed.ByDeployment("deployment-of-b")); !slices.Equal(got, []*Foo{byClientGo}) {
		t.Errorf("by typed index: %v", got)
	}
	if n := byReplicas.Count(s.Reader(), 3); n != 2 {
		t.Errorf("%d Foos by another index of the name Deployment", n)
	}
	names := map[string]int{}
	for range 4 {
		select {
		case name := <-added:
			names[name]++
		case <-ctx.Done():
			t.Fatalf("the handlers were called for %v", names)
		}
	}
	if names["a"] != 2 || names["b"] != 2 {
		t.Errorf("the handlers were called for %v", names)
	}
	if lists, watches := sent.lists.Load(), sent.watches.Load(); lists != 0 || watches != 1 {
		t.Errorf("%d lists and %d watches, want one watch", lists, watches)
	}
}
