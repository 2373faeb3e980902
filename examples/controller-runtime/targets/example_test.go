// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package targets

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

func example() *Gadget {
	return &Gadget{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a"}, Spec: GadgetSpec{Site: "berlin"}}
}

func ExampleGadgetLister() {
	gadgets := NewGadgetIndexer()
	if err := gadgets.Set(example()); err != nil {
		panic(err)
	}

	for g := range gadgets.BySite("berlin") {
		fmt.Println(g.Name)
	}
	// Output: a
}

func ExampleGadgetCacheLister() {
	gadgets, err := NewGadgetCacheLister(NewGadgetCacheIndexer(example()))
	if err != nil {
		panic(err)
	}
	for _, g := range gadgets.BySite("berlin") {
		fmt.Println(g.Name)
	}
	// Output:
	// a
}

func ExampleGadgetReader() {
	scheme := runtime.NewScheme()
	if err := AddToScheme(scheme); err != nil {
		panic(err)
	}
	builder := fake.NewClientBuilder().WithScheme(scheme).WithObjects(example())
	reader := WithGadgetIndexes(builder).Build()

	gadgets := NewGadgetReader(reader)
	atSite, err := gadgets.BySite(context.Background(), "berlin", client.InNamespace("ns"))
	if err != nil {
		panic(err)
	}
	for _, g := range atSite {
		fmt.Println(g.Name)
	}
	// Output: a
}

// A registration of its own can depend on a condition. Its query lists as before.
func ExampleGadgetFieldIndexers() {
	scheme := runtime.NewScheme()
	if err := AddToScheme(scheme); err != nil {
		panic(err)
	}
	reader := fake.NewClientBuilder().WithScheme(scheme).WithObjects(example()).
		WithIndex(&Gadget{}, GadgetBySiteField, GadgetFieldIndexers()[GadgetBySiteField]).Build()

	var atSite GadgetList
	if err := reader.List(context.Background(), &atSite, client.MatchingFields{GadgetBySiteField: "berlin"}); err != nil {
		panic(err)
	}
	for _, g := range atSite.Items {
		fmt.Println(g.Name)
	}
	// Output: a
}
