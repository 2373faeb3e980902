// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cronjob

import (
	"context"

	v1 "github.com/indexer-gen/indexer-gen/examples/cronjob/api/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

const (
	controllerField = ".metadata.controller"
	secretField     = ".spec.secret"
)

// Before is the reconciler that reads through index functions and lists.
type Before struct{ client.Client }

// SetupWithManager adds the reconciler and its index functions to mgr.
func (r *Before) SetupWithManager(ctx context.Context, mgr ctrl.Manager) error {
	byController := func(obj client.Object) []string {
		owner := metav1.GetControllerOf(obj)
		if owner == nil || owner.APIVersion != v1.GroupVersion.String() || owner.Kind != "CronJob" {
			return nil
		}
		return []string{owner.Name}
	}
	if err := mgr.GetFieldIndexer().IndexField(ctx, &batchv1.Job{}, controllerField, byController); err != nil {
		return err
	}
	bySecret := func(obj client.Object) []string { return []string{obj.(*v1.CronJob).Spec.Secret} }
	if err := mgr.GetFieldIndexer().IndexField(ctx, &v1.CronJob{}, secretField, bySecret); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).
		For(&v1.CronJob{}).
		Owns(&batchv1.Job{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.cronJobsOf)).
		Complete(r)
}

// cronJobsOf maps a Secret to the CronJobs that use it.
func (r *Before) cronJobsOf(ctx context.Context, secret client.Object) []reconcile.Request {
	var using v1.CronJobList
	err := r.List(ctx, &using, client.InNamespace(secret.GetNamespace()),
		client.MatchingFields{secretField: secret.GetName()})
	if err != nil {
		return nil // and nothing is reconciled
	}
	var requests []reconcile.Request
	for i := range using.Items {
		requests = append(requests, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&using.Items[i])})
	}
	return requests
}

// Reconcile implements reconcile.Reconciler.
func (r *Before) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	var cronJob v1.CronJob
	if err := r.Get(ctx, req.NamespacedName, &cronJob); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var children batchv1.JobList
	err := r.List(ctx, &children, client.InNamespace(req.Namespace),
		client.MatchingFields{controllerField: req.Name})
	if err != nil {
		return ctrl.Result{}, err
	}
	active := int32(0)
	for i := range children.Items {
		if isActive(&children.Items[i]) {
			active++
		}
	}
	return ctrl.Result{}, updateStatus(ctx, r.Client, &cronJob, active)
}
