// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"errors"
	"strings"

	runtimeCtrl "github.com/fluxcd/pkg/runtime/controller"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/kubeconn"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/trigger"
	"github.com/indexer-gen/indexer-gen/runtime/wire"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/fluxcd/kustomize-controller/internal/fluxcd"
)

// setupConverted takes the place of SetupWithManager. It has all options that the suite sets.
func setupConverted(
	ctx context.Context, mgr ctrl.Manager, r *KustomizationReconciler, _ KustomizationReconcilerOptions,
) error {
	conn, err := kubeconn.FromConfig(mgr.GetConfig())
	if err != nil {
		return err
	}
	informers := informer.NewFactory()
	objects, err := fluxcd.ObjectsOf(ctx, mgr.GetCache(),
		metadata(informers, conn, "configmaps"), metadata(informers, conn, "secrets"))
	if err := errors.Join(err, mgr.Add(&ctrlruntime.Runnable{Runner: informers})); err != nil {
		return err
	}
	wrapped := runtimeCtrl.WrapReconciler(r)
	return ctrl.NewControllerManagedBy(mgr).
		Named("kustomization").
		WatchesRawSource(source.Func(func(
			ctx context.Context, queue workqueue.TypedRateLimitingInterface[ctrl.Request],
		) error {
			go enqueue(ctx, objects.Trigger(), wrapped.EnqueueRequestsFromMapFunc, queue)
			return nil
		})).
		Complete(wrapped)
}

// enqueue adds requests by the handlers of a wrapped reconciler, which cancel health checks. They name the
// object that changed.
func enqueue(
	ctx context.Context, t *trigger.Trigger[*fluxcd.Kustomization],
	handlerOf func(kind string, mapping handler.MapFunc) handler.EventHandler,
	queue workqueue.TypedRateLimitingInterface[ctrl.Request],
) {
	kinds := map[string]string{"kustomizations": "Kustomization", "gitrepositories": "GitRepository",
		"ocirepositories": "OCIRepository", "buckets": "Bucket", "externalartifacts": "ExternalArtifact",
		"configmaps": "ConfigMap", "secrets": "Secret"}
	for key, causes := range t.Keys(ctx) {
		resource, _, _ := strings.Cut(causes[0].Edge, " ")
		changed := &metav1.PartialObjectMetadata{}
		changed.Namespace, changed.Name = causes[0].Key.Namespace, causes[0].Key.Name
		handlerOf(kinds[resource], func(context.Context, client.Object) []ctrl.Request {
			return []ctrl.Request{{NamespacedName: key}}
		}).Generic(ctx, event.GenericEvent{Object: changed}, queue)
	}
}

// metadata adds an informer of the metadata of a type of the core group, with the selector of Flux.
func metadata(
	f *informer.Factory, conn wire.Conn, resource string,
) *informer.Informer[*metav1.PartialObjectMetadata] {
	gvr := corev1.SchemeGroupVersion.WithResource(resource)
	return informer.Share(f, func() *informer.Informer[*metav1.PartialObjectMetadata] {
		src := wire.Source[*metav1.PartialObjectMetadata](conn, gvr)
		return informer.New(gvr, src, store.ForObjects[*metav1.PartialObjectMetadata](),
			informer.WithReflector(reflector.Settings{LabelSelector: "reconcile.fluxcd.io/watch=Enabled"}))
	}).Get()
}
