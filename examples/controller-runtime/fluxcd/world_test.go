// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package fluxcd

import (
	"context"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing/synctest"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"github.com/fluxcd/pkg/apis/meta"
	sourcev1 "github.com/fluxcd/source-controller/api/v1"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/trigger"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// world has servers of random objects, informers, and a loop over the keys of the trigger.
type world struct {
	rand    *rand.Rand
	ctx     context.Context
	running sync.WaitGroup
	objects Objects
	kinds   []kind

	mu      sync.Mutex
	yielded map[types.NamespacedName]bool // since the last change
}

// kind changes the objects of a kind.
type kind struct {
	name string
	// change makes a random change and returns both states of the object. One of them may be nil.
	change func() (old, new client.Object)
}

func newWorld(ctx context.Context, r *rand.Rand) *world {
	w := &world{rand: r, ctx: ctx, yielded: map[types.NamespacedName]bool{}}
	kustomizations := kustomizev1.GroupVersion.WithResource("kustomizations")
	sources, core := sourcev1.GroupVersion.WithResource, corev1.SchemeGroupVersion.WithResource
	w.objects = Objects{
		Kustomizations: follow(w, "Kustomization", kustomizations, w.kustomization),
		GitRepositories: follow(w, "GitRepository", sources("gitrepositories"), func(s *sourcev1.GitRepository) {
			s.Status.Artifact = w.artifact()
		}),
		OCIRepositories: follow(w, "OCIRepository", sources("ocirepositories"), func(s *sourcev1.OCIRepository) {
			s.Status.Artifact = w.artifact()
		}),
		Buckets: follow(w, "Bucket", sources("buckets"), func(s *sourcev1.Bucket) {
			s.Status.Artifact = w.artifact()
		}),
		ExternalArtifacts: follow(w, "ExternalArtifact", sources("externalartifacts"),
			func(s *sourcev1.ExternalArtifact) { s.Status.Artifact = w.artifact() }),
		ConfigMaps: follow(w, "ConfigMap", core("configmaps"), w.metadata),
		Secrets:    follow(w, "Secret", core("secrets"), w.metadata),
	}
	w.running.Go(func() {
		for key := range w.objects.Trigger().Keys(ctx) {
			w.mu.Lock()
			w.yielded[key] = true
			w.mu.Unlock()
		}
	})
	return w
}

// follow runs an informer of a server of the kind. next makes a random new state of an object.
func follow[S client.Object](
	w *world, name string, gvr schema.GroupVersionResource, next func(S),
) *informer.Informer[S] {
	server := runtimetest.NewServer[S]()
	i := informer.New(gvr, server.Source(), store.ForObjects[S]())
	w.running.Go(func() { _ = i.Run(w.ctx) })
	get := func(key types.NamespacedName) client.Object {
		if s, ok := i.Store().Reader().Get(key); ok {
			return s
		}
		return nil
	}
	w.kinds = append(w.kinds, kind{name, func() (old, new client.Object) {
		key := w.key()
		old = get(key)
		switch {
		case old != nil && w.rand.IntN(4) == 0:
			server.Delete(key.Namespace, key.Name)
		case old != nil:
			s := old.DeepCopyObject().(S)
			next(s)
			server.Set(s)
		default:
			s := newOf[S]()
			s.SetNamespace(key.Namespace)
			s.SetName(key.Name)
			next(s)
			server.Set(s)
		}
		synctest.Wait()
		return old, get(key)
	}})
	return i
}

func newOf[S client.Object]() S {
	var obj any
	switch any(*new(S)).(type) {
	case *Kustomization:
		obj = &Kustomization{}
	case *sourcev1.GitRepository:
		obj = &sourcev1.GitRepository{}
	case *sourcev1.OCIRepository:
		obj = &sourcev1.OCIRepository{}
	case *sourcev1.Bucket:
		obj = &sourcev1.Bucket{}
	case *sourcev1.ExternalArtifact:
		obj = &sourcev1.ExternalArtifact{}
	default:
		obj = &metav1.PartialObjectMetadata{}
	}
	return obj.(S)
}

// drain returns the keys that were yielded since the last call.
func (w *world) drain() map[types.NamespacedName]bool {
	synctest.Wait()
	w.mu.Lock()
	defer w.mu.Unlock()
	yielded := w.yielded
	w.yielded = map[types.NamespacedName]bool{}
	return yielded
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

func (w *world) key() trigger.Key {
	return trigger.Key{Namespace: pick(w.rand, "ns1", "ns2"), Name: w.name()}
}

func (w *world) name() string { return pick(w.rand, "a", "b", "c", "d") }

func (w *world) artifact() *meta.Artifact {
	if w.rand.IntN(5) == 0 {
		return nil
	}
	return &meta.Artifact{Revision: pick(w.rand, "1", "2", "3")}
}

func (w *world) metadata(m *metav1.PartialObjectMetadata) {
	m.Labels = map[string]string{"version": strconv.Itoa(w.rand.IntN(5))}
}

// kustomization changes the spec with the generation, as an API server does, or the status or an annotation.
func (w *world) kustomization(k *Kustomization) {
	r := w.rand
	switch what := r.IntN(4); {
	case k.Generation == 0 || what < 2:
		k.Generation++
		k.Spec = w.spec()
	case what == 2:
		k.Annotations = map[string]string{meta.ReconcileRequestAnnotation: pick(r, "now", "later")}
	default:
		k.Status.LastAttemptedRevision = pick(r, "1", "2", "3")
		k.Status.Conditions = []metav1.Condition{{
			Type:   pick(r, meta.ReadyCondition, meta.ReconcilingCondition),
			Status: pick(r, metav1.ConditionTrue, metav1.ConditionFalse),
		}}
	}
}

func (w *world) spec() (spec kustomizev1.KustomizationSpec) {
	r := w.rand
	spec.SourceRef = kustomizev1.CrossNamespaceSourceReference{
		Kind: pick(r, "GitRepository", "GitRepository", "OCIRepository", "Bucket", "ExternalArtifact"),
		Name: w.name(), Namespace: pick(r, "", "ns1", "ns2"),
	}
	if r.IntN(3) == 0 {
		spec.DependsOn = []meta.DependencyReference{{Name: w.name(), Namespace: pick(r, "", "ns1", "ns2")}}
	}
	if r.IntN(3) == 0 {
		spec.Decryption = &kustomizev1.Decryption{}
		if r.IntN(2) == 0 {
			spec.Decryption.SecretRef = &meta.LocalObjectReference{Name: w.name()}
		}
	}
	if r.IntN(3) == 0 {
		spec.KubeConfig = &meta.KubeConfigReference{}
		if r.IntN(2) == 0 {
			spec.KubeConfig.SecretRef = &meta.SecretKeyReference{Name: w.name()}
		} else {
			spec.KubeConfig.ConfigMapRef = &meta.LocalObjectReference{Name: w.name()}
		}
	}
	if r.IntN(3) == 0 {
		spec.PostBuild = &kustomizev1.PostBuild{}
		for range r.IntN(3) {
			spec.PostBuild.SubstituteFrom = append(spec.PostBuild.SubstituteFrom, kustomizev1.SubstituteReference{
				Kind: pick(r, "ConfigMap", "Secret"), Name: w.name(),
			})
		}
	}
	return spec
}
