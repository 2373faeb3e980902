// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package fluxcd

import (
	"context"
	"errors"

	"github.com/fluxcd/pkg/apis/meta"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime"
	"github.com/indexer-gen/indexer-gen/runtime/ctrlruntime/ctrltrigger"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/trigger"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// Objects are the informers of the objects that the reconciler reads.
type Objects struct {
	Kustomizations    informer.Interface[*Kustomization]
	GitRepositories   informer.Interface[*sourcev1.GitRepository]
	OCIRepositories   informer.Interface[*sourcev1.OCIRepository]
	Buckets           informer.Interface[*sourcev1.Bucket]
	ExternalArtifacts informer.Interface[*sourcev1.ExternalArtifact]
	// ConfigMaps and Secrets have metadata only. Select by label what is to be watched.
	ConfigMaps, Secrets informer.Interface[*metav1.PartialObjectMetadata]
}

// ObjectsOf returns informers of the cache of the manager, which is from ctrlruntime.NewCache. It has no metadata,
// so the informers for that are separate; see ctrlruntime.Runnable.
func ObjectsOf(
	ctx context.Context, c cache.Cache, configMaps, secrets informer.Interface[*metav1.PartialObjectMetadata],
) (Objects, error) {
	o := Objects{ConfigMaps: configMaps, Secrets: secrets}
	return o, errors.Join(
		get(ctx, c, &o.Kustomizations), get(ctx, c, &o.GitRepositories), get(ctx, c, &o.OCIRepositories),
		get(ctx, c, &o.Buckets), get(ctx, c, &o.ExternalArtifacts),
	)
}

func get[T client.Object](ctx context.Context, c cache.Cache, to *informer.Interface[T]) (err error) {
	*to, err = ctrlruntime.InformerOf[T](ctx, c)
	return err
}

// Setup reconciles Kustomizations when they change, and when their sources, ConfigMaps or Secrets do.
func (o Objects) Setup(mgr manager.Manager, r reconcile.Reconciler) error {
	return builder.ControllerManagedBy(mgr).
		Named("kustomization").
		WatchesRawSource(ctrltrigger.Requests(o.Trigger())).
		Complete(r)
}

// Trigger returns the trigger of the Kustomizations to reconcile. By intention, it differs from Flux's map
// functions in two things:
//
//   - Flux sorts the requests of an event by dependencies. A trigger has no order among keys: the reconciler
//     itself has to wait for dependencies, as Flux's does.
//   - Flux skips Kustomizations that have attempted the revision according to the cache. The reconciler writes
//     that field, so the cache may not have its last write yet.
func (o Objects) Trigger() *trigger.Trigger[*Kustomization] {
	t := trigger.For(o.Kustomizations).Changed(specOrRequestChanged)
	ks := NewKustomizationLister(o.Kustomizations.Store())
	revisions(trigger.On(t, o.GitRepositories, IndexKustomizationByGitRepository, ks.ByGitRepository))
	revisions(trigger.On(t, o.OCIRepositories, IndexKustomizationByOCIRepository, ks.ByOCIRepository))
	revisions(trigger.On(t, o.Buckets, IndexKustomizationByBucket, ks.ByBucket))
	revisions(trigger.On(t, o.ExternalArtifacts, IndexKustomizationByExternalArtifact, ks.ByExternalArtifact))
	trigger.On(t, o.ConfigMaps, IndexKustomizationByConfigMap, ks.ByConfigMap)
	trigger.On(t, o.Secrets, IndexKustomizationBySecret, ks.BySecret)
	return t
}

func specOrRequestChanged(old, new *Kustomization) bool {
	request, requested := meta.ReconcileAnnotationValue(new.Annotations)
	before, _ := meta.ReconcileAnnotationValue(old.Annotations)
	return new.Generation != old.Generation || requested && request != before
}

// revisions drops the changes of a source that bring no new revision.
func revisions[S interface {
	metav1.Object
	GetArtifact() *meta.Artifact
}](e *trigger.Edge[S, *Kustomization]) {
	e.Changed(func(old, new S) bool {
		artifact := new.GetArtifact()
		return artifact != nil && !old.GetArtifact().HasRevision(artifact.Revision)
	})
	e.If(func(s S, _ *Kustomization) bool { return s.GetArtifact() != nil })
}
