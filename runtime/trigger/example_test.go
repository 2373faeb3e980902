// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package trigger_test

import (
	"context"
	"fmt"
	"iter"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/trigger"
)

// A widget uses a Secret. The key of the widget is yielded when the Secret changes.
func Example() {
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()

	widgetServer := runtimetest.NewServer[*metav1.PartialObjectMetadata]()
	secretServer := runtimetest.NewServer[*metav1.PartialObjectMetadata]()
	widgets := newInformer("widgets", widgetServer)
	secrets := newInformer("secrets", secretServer)
	bySecret := store.AddIndex(widgets.Store(), "Secret", IndexWidgetBySecret)

	t := trigger.For(widgets)
	usersOf := func(secret trigger.Key) iter.Seq[*metav1.PartialObjectMetadata] {
		return bySecret.Get(widgets.Store().Reader(), secret)
	}
	trigger.On(t, secrets, IndexWidgetBySecret, usersOf)

	pump := &metav1.PartialObjectMetadata{}
	pump.Namespace, pump.Name = "plant", "pump"
	pump.Annotations = map[string]string{"secret": "credentials"}
	widgetServer.Set(pump)
	for _, i := range []*informer.Informer[*metav1.PartialObjectMetadata]{widgets, secrets} {
		running.Add(1)
		go func() {
			defer running.Done()
			_ = i.Run(ctx)
		}()
	}

	for key, causes := range t.Keys(ctx) {
		fmt.Printf("reconcile %v because of %v\n", key, causes)
		if !causes.Initial() {
			break
		}
		credentials := &metav1.PartialObjectMetadata{}
		credentials.Namespace, credentials.Name = "plant", "credentials"
		secretServer.Set(credentials)
	}
	// Output:
	// reconcile plant/pump because of widgets: plant/pump
	// reconcile plant/pump because of secrets → widgets: plant/credentials
}

// A test asks an edge which keys a change concerns.
func ExampleEdge_Concerned() {
	widgets := newInformer("widgets", runtimetest.NewServer[*metav1.PartialObjectMetadata]())
	secrets := newInformer("secrets", runtimetest.NewServer[*metav1.PartialObjectMetadata]())
	bySecret := store.AddIndex(widgets.Store(), "Secret", IndexWidgetBySecret)
	usersOf := func(secret trigger.Key) iter.Seq[*metav1.PartialObjectMetadata] {
		return bySecret.Get(widgets.Store().Reader(), secret)
	}
	pump := &metav1.PartialObjectMetadata{}
	pump.Namespace, pump.Name = "plant", "pump"
	pump.Annotations = map[string]string{"secret": "credentials"}
	if err := widgets.Store().Set(pump); err != nil {
		fmt.Println(err)
	}
	credentials := &metav1.PartialObjectMetadata{}
	credentials.Namespace, credentials.Name = "plant", "credentials"

	edge := trigger.On(trigger.For(widgets), secrets, IndexWidgetBySecret, usersOf)
	for key := range edge.Concerned(credentials) {
		fmt.Println("reconcile", key)
	}
	// Output: reconcile plant/pump
}

// IndexWidgetBySecret is what indexer-gen emits for +index:ref.
func IndexWidgetBySecret(dst []trigger.Key, w *metav1.PartialObjectMetadata) []trigger.Key {
	return append(dst, trigger.Key{Namespace: w.Namespace, Name: w.Annotations["secret"]})
}

func newInformer(
	resource string, server *runtimetest.Server[*metav1.PartialObjectMetadata],
) *informer.Informer[*metav1.PartialObjectMetadata] {
	gvr := schema.GroupVersionResource{Group: "lab.example.com", Version: "v1", Resource: resource}
	return informer.New(gvr, server.Source(), store.ForObjects[*metav1.PartialObjectMetadata]())
}
