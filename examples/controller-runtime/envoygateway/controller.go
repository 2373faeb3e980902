// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package envoygateway

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// SetupWithManager reconciles HTTPRoutes when they or their Gateways change.
func SetupWithManager(ctx context.Context, mgr manager.Manager, r reconcile.Reconciler) error {
	if err := AddHTTPRouteIndexes(ctx, mgr.GetFieldIndexer()); err != nil {
		return err
	}
	routes := NewHTTPRouteReader(mgr.GetClient())
	return builder.ControllerManagedBy(mgr).For(&HTTPRoute{}).
		Watches(&Gateway{}, handler.EnqueueRequestsFromMapFunc(routes.RequestsByGateway)).
		Complete(r)
}
