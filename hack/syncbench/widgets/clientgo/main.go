// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command clientgo is client-go's shared informer of Widgets under measurement.
package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"

	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/clientgo"
	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/probe"
	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/widget"
)

func main() { probe.Main(start) }

func start(ctx context.Context, job probe.Job) (probe.Cache, error) {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(widget.GroupVersion, &widget.Widget{}, &widget.WidgetList{})
	metav1.AddToGroupVersion(scheme, widget.GroupVersion)
	config := rest.Config{APIPath: "/apis", ContentConfig: rest.ContentConfig{
		GroupVersion:         &widget.GroupVersion,
		NegotiatedSerializer: serializer.NewCodecFactory(scheme).WithoutConversion(),
	}}
	return clientgo.Start(ctx, job, config, widget.Resource.Resource, &widget.Widget{},
		func(obj any) string { return obj.(*widget.Widget).Spec.NodeName })
}
