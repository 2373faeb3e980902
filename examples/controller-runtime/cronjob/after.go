// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cronjob

import (
	"context"

	v1 "github.com/indexer-gen/indexer-gen/examples/cronjob/api/v1"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/ctrltrigger"
	"github.com/indexer-gen/indexer-gen/runtime/trigger"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// After is the reconciler that reads through emitted listers.
type After struct {
	client.Client
	cronJobs v1.CronJobLister
	jobs     v1.JobLister
}

// SetupWithManager adds the reconciler to mgr, whose cache is from ctrlruntime.NewCache.
func (r *After) SetupWithManager(ctx context.Context, mgr ctrl.Manager) error {
	cronJobs, err := ctrlruntime.InformerOf[*v1.CronJob](ctx, mgr.GetCache())
	if err != nil {
		return err
	}
	secrets, err := ctrlruntime.InformerOf[*corev1.Secret](ctx, mgr.GetCache())
	if err != nil {
		return err
	}
	jobs, err := ctrlruntime.StoreOf[*batchv1.Job](ctx, mgr.GetCache())
	if err != nil {
		return err
	}
	r.cronJobs, r.jobs = v1.NewCronJobLister(cronJobs.Store()), v1.NewJobLister(jobs)
	bySecret := trigger.For(cronJobs)
	trigger.On(bySecret, secrets, v1.IndexCronJobBySecret, r.cronJobs.BySecret)
	return ctrl.NewControllerManagedBy(mgr).
		For(&v1.CronJob{}).
		Owns(&batchv1.Job{}).
		WatchesRawSource(ctrltrigger.Requests(bySecret)).
		Complete(r)
}

// Reconcile implements reconcile.Reconciler.
func (r *After) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	cronJob, err := r.cronJobs.Namespace(req.Namespace).Get(req.Name)
	if err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	active := int32(0)
	for job := range r.jobs.ByController(cronJob.UID) {
		if isActive(job) {
			active++
		}
	}
	return ctrl.Result{}, updateStatus(ctx, r.Client, cronJob.DeepCopy(), active)
}
