// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"

	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
)

var errNotReady = errors.New("not ready")

// Runnable runs informers in a manager, for as long as the manager runs:
//
//	running := &ctrlruntime.Runnable{Runner: informers}
//	err := mgr.Add(running)
//	err = mgr.AddReadyzCheck("informers", running.Ready)
//
// The manager starts it before the controllers and stops it after them.
type Runnable struct {
	// Runner is an informer, or the factory of several. It is required.
	Runner informer.Runner
	// LeaderOnly starts the informers when this replica becomes the leader. The other replicas then need
	// no memory for objects, but a new leader has to list first. By default the informers run on every
	// replica, and a new leader reconciles at once.
	LeaderOnly bool

	started atomic.Bool
}

var _ manager.LeaderElectionRunnable = (*Runnable)(nil)

// Start implements manager.Runnable. It returns when all goroutines of the informers have ended.
func (r *Runnable) Start(ctx context.Context) error {
	r.started.Store(true)
	return r.Runner.Run(ctx)
}

// NeedLeaderElection implements manager.LeaderElectionRunnable.
func (r *Runnable) NeedLeaderElection() bool { return r.LeaderOnly }

// Ready is a healthz.Checker for AddReadyzCheck. It returns nil if the informers have synced. Its error
// names each informer that has not, with its progress and its last error. With LeaderOnly it also returns
// nil until the informers start, so that a rolling update does not wait for replicas that do not lead.
//
// The manager shows the error under the name of the check, such as /readyz/informers, and logs it. The text
// of /readyz is shorter.
func (r *Runnable) Ready(*http.Request) error {
	if r.LeaderOnly && !r.started.Load() {
		return nil
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errNotReady)
	return r.Runner.WaitForSync(ctx)
}
