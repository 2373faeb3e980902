// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command indexergen is an informer of indexer-gen for Pods under measurement.
package main

import (
	"context"

	corev1 "k8s.io/api/core/v1"

	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/indexergen"
	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/pod"
	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/probe"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
)

func main() { probe.Main(start) }

func start(ctx context.Context, job probe.Job) (probe.Cache, error) {
	if job.Slim {
		return indexergen.Start(ctx, job, pod.Resource,
			func(p *pod.Slim) string { return p.Spec.NodeName }, wire.ProtobufOf[corev1.Pod]()), nil
	}
	return indexergen.Start(ctx, job, pod.Resource,
		func(p *corev1.Pod) string { return p.Spec.NodeName }), nil
}
