// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cronjob

import (
	"testing"

	v1 "github.com/indexer-gen/indexer-gen/examples/cronjob/api/v1"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
)

// TestAfter fills the client and the listers of the reconciler from one list of objects.
func TestAfter(t *testing.T) {
	types := runtime.NewScheme()
	do(t, v1.AddToScheme(types))
	do(t, scheme.AddToScheme(types))
	cronJob := &v1.CronJob{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "backup", UID: "1"},
		Spec:       v1.CronJobSpec{Secret: "password"},
	}
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "backup-1"}}
	do(t, ctrl.SetControllerReference(cronJob, job, types))
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "password", ResourceVersion: "7"}}

	objs := []client.Object{cronJob, job, secret}
	c := fake.NewClientBuilder().WithScheme(types).WithObjects(objs...).WithStatusSubresource(cronJob).Build()
	cronJobs, jobs := v1.NewCronJobIndexer(), v1.NewJobIndexer()
	do(t, runtimetest.Fill(cronJobs, objs))
	do(t, runtimetest.Fill(jobs, objs))

	r := &After{Client: c, cronJobs: cronJobs.CronJobLister, jobs: jobs.JobLister}
	_, err := r.Reconcile(t.Context(), ctrl.Request{NamespacedName: client.ObjectKeyFromObject(cronJob)})
	do(t, err)
	do(t, c.Get(t.Context(), client.ObjectKeyFromObject(cronJob), cronJob))
	if want := (v1.CronJobStatus{Active: 1, SecretVersion: "7"}); cronJob.Status != want {
		t.Errorf("the status is %+v, want %+v", cronJob.Status, want)
	}
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
