// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// running is a Runnable of a manager that runs informers.
type running struct{ *informer.Factory }

var _ manager.LeaderElectionRunnable = running{}

// Start runs the informers until ctx ends, and returns when all their goroutines have
// ended: the manager waits for that.
func (r running) Start(ctx context.Context) error { return r.Run(ctx) }

// NeedLeaderElection says that they run without being the leader. The manager starts
// such Runnables before the controllers, and stops them after.
func (running) NeedLeaderElection() bool { return false }
