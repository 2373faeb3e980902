// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cronjob

import (
	"context"

	v1 "github.com/indexer-gen/indexer-gen/examples/cronjob/api/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

func isActive(job *batchv1.Job) bool {
	for _, c := range job.Status.Conditions {
		ended := c.Type == batchv1.JobComplete || c.Type == batchv1.JobFailed
		if ended && c.Status == corev1.ConditionTrue {
			return false
		}
	}
	return true
}

// updateStatus writes the status of cronJob if it changes. It modifies cronJob.
func updateStatus(ctx context.Context, c client.Client, cronJob *v1.CronJob, active int32) error {
	var secret corev1.Secret
	key := client.ObjectKey{Namespace: cronJob.Namespace, Name: cronJob.Spec.Secret}
	if err := c.Get(ctx, key, &secret); client.IgnoreNotFound(err) != nil {
		return err
	}
	status := v1.CronJobStatus{Active: active, SecretVersion: secret.ResourceVersion}
	if cronJob.Status == status {
		return nil
	}
	cronJob.Status = status
	return client.IgnoreNotFound(c.Status().Update(ctx, cronJob))
}
