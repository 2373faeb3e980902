// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command clientgo is client-go's shared informer of Pods under measurement.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"

	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/clientgo"
	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/pod"
	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/probe"
)

func main() { probe.Main(start) }

// start configures the client as package kubernetes of client-go does. That package would have linked
// all built-in types.
func start(ctx context.Context, job probe.Job) (probe.Cache, error) {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	config := rest.Config{APIPath: "/api", ContentConfig: rest.ContentConfig{
		GroupVersion:         &corev1.SchemeGroupVersion,
		NegotiatedSerializer: serializer.NewCodecFactory(scheme).WithoutConversion(),
		ContentType:          runtime.ContentTypeProtobuf,
		AcceptContentTypes:   runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON,
	}}
	return clientgo.Start(ctx, job, config, pod.Resource.Resource, &corev1.Pod{},
		func(obj any) string { return obj.(*corev1.Pod).Spec.NodeName })
}
