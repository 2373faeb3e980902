// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command indexergen is an informer of indexer-gen for Widgets under measurement.
package main

import (
	"context"

	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/indexergen"
	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/probe"
	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/widget"
)

func main() { probe.Main(start) }

func start(ctx context.Context, job probe.Job) (probe.Cache, error) {
	if job.Slim {
		return indexergen.Start(ctx, job, widget.Resource,
			func(w *widget.Slim) string { return w.Spec.NodeName }), nil
	}
	return indexergen.Start(ctx, job, widget.Resource,
		func(w *widget.Widget) string { return w.Spec.NodeName }), nil
}
