// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cronjob_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	"github.com/indexer-gen/indexer-gen/examples/controller-runtime/cronjob"
	v1 "github.com/indexer-gen/indexer-gen/examples/cronjob/api/v1"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/kubeconn"
	"github.com/indexer-gen/indexer-gen/runtime/watch"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// TestCronJob expects the same statuses from both controllers, on a real API server.
func TestCronJob(t *testing.T) {
	if os.Getenv("KUBEBUILDER_ASSETS") == "" {
		t.Skip("this test needs kube-apiserver: run hack/test-kubernetes.sh, or set KUBEBUILDER_ASSETS")
	}
	ctrl.SetLogger(logr.Discard())
	do(t, v1.AddToScheme(scheme.Scheme))
	api, err := apiserver.Start(t.Context(), apiserver.Options{
		Kubernetes: true, CRDs: []string{"../../cronjob/config/crd"}, Progress: t.Output(),
	})
	do(t, err)
	t.Cleanup(func() { do(t, api.Close()) })

	for name, newCache := range map[string]cache.NewCacheFunc{"before": cache.New, "after": ctrlruntime.NewCache} {
		t.Run(name, func(t *testing.T) {
			mgr, err := ctrl.NewManager(restconfig.New(api.Endpoint), ctrl.Options{
				NewCache:   newCache,
				Metrics:    server.Options{BindAddress: "0"},
				Controller: config.Controller{SkipNameValidation: new(true)},
			})
			do(t, err)
			if name == "before" {
				do(t, (&cronjob.Before{Client: mgr.GetClient()}).SetupWithManager(t.Context(), mgr))
			} else {
				do(t, (&cronjob.After{Client: mgr.GetClient()}).SetupWithManager(t.Context(), mgr))
			}
			ctx, cancel := context.WithCancel(context.Background())
			ended := make(chan error, 1)
			go func() { ended <- mgr.Start(ctx) }()
			defer func() {
				cancel()
				do(t, <-ended)
			}()
			follow(t, api, mgr.GetClient(), name)
		})
	}
}

// follow changes objects, and waits for the statuses that a controller must write.
func follow(t *testing.T, api *apiserver.Server, c client.Client, name string) {
	ctx := t.Context()
	meta := func(name string) metav1.ObjectMeta { return metav1.ObjectMeta{Namespace: "default", Name: name} }
	secret := &corev1.Secret{ObjectMeta: meta(name)}
	do(t, c.Create(ctx, secret))
	cronJob := &v1.CronJob{ObjectMeta: meta(name), Spec: v1.CronJobSpec{Schedule: "@daily", Secret: name}}
	do(t, c.Create(ctx, cronJob))
	job := func(suffix string) *batchv1.Job {
		j := &batchv1.Job{ObjectMeta: meta(name + suffix), Spec: batchv1.JobSpec{
			Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
				RestartPolicy: corev1.RestartPolicyNever,
				Containers:    []corev1.Container{{Name: "c", Image: "i"}},
			}},
		}}
		do(t, ctrl.SetControllerReference(cronJob, j, c.Scheme()))
		do(t, c.Create(ctx, j))
		return j
	}
	a := job("-a")
	job("-b")
	await(t, api, name, v1.CronJobStatus{Active: 2, SecretVersion: secret.ResourceVersion})

	secret.StringData = map[string]string{"password": "new"}
	do(t, c.Update(ctx, secret))
	await(t, api, name, v1.CronJobStatus{Active: 2, SecretVersion: secret.ResourceVersion})

	do(t, c.Delete(ctx, a, client.PropagationPolicy(metav1.DeletePropagationBackground)))
	await(t, api, name, v1.CronJobStatus{Active: 1, SecretVersion: secret.ResourceVersion})
}

// await waits until the server has a CronJob with the status.
func await(t *testing.T, api *apiserver.Server, name string, want v1.CronJobStatus) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	conn, err := kubeconn.FromConfig(restconfig.New(api.Endpoint))
	do(t, err)
	src := wire.Source[*v1.CronJob](conn, v1.CronJobsResource, wire.InNamespace("default"))
	for event, err := range watch.Events(ctx, src, watch.Options[*v1.CronJob]{}) {
		if err != nil {
			t.Fatalf("%s never had %+v: %v", name, want, err)
		}
		if event.Object != nil && event.Object.Name == name && event.Object.Status == want {
			return
		}
	}
}

func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
