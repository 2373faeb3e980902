// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package fluxcd

import (
	"cmp"
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"github.com/fluxcd/pkg/apis/meta"
	"github.com/fluxcd/pkg/runtime/conditions"
	"github.com/fluxcd/pkg/runtime/dependency"
	"github.com/fluxcd/pkg/runtime/predicates"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// functions are Flux's. The names of its indexes are those of the kinds.
type functions struct {
	indexes            map[string]client.IndexerFunc
	ofSource, ofConfig func(c client.Client, kind string) handler.MapFunc
	revisions          predicate.Predicate
}

// theirs is set in a file that TestFlux adds.
var theirs *functions

// ours are the emitted index functions.
var ours = map[string]func([]types.NamespacedName, *Kustomization) []types.NamespacedName{
	"GitRepository":    IndexKustomizationByGitRepository,
	"OCIRepository":    IndexKustomizationByOCIRepository,
	"Bucket":           IndexKustomizationByBucket,
	"ExternalArtifact": IndexKustomizationByExternalArtifact,
	"ConfigMap":        IndexKustomizationByConfigMap,
	"Secret":           IndexKustomizationBySecret,
}

// using returns the Kustomizations that Flux's index has under a value.
func (w *world) using(index, value string) (found []Kustomization) {
	for k := range w.objects.Kustomizations.Store().Reader().All() {
		if slices.Contains(theirs.indexes[index](k), value) {
			found = append(found, *k)
		}
	}
	return found
}

// listing is a client that lists Kustomizations by Flux's indexes.
type listing struct {
	client.Client
	*world
}

func (l listing) List(_ context.Context, list client.ObjectList, opts ...client.ListOption) error {
	for index, value := range opts[0].(client.MatchingFields) {
		list.(*kustomizev1.KustomizationList).Items = l.using(index, value)
	}
	return nil
}

// requested returns what Flux requests after a change.
func (w *world) requested(kind string, old, new client.Object) map[types.NamespacedName]bool {
	filter, mapping := theirs.revisions, theirs.ofSource
	switch kind {
	case "Kustomization":
		filter = predicate.Or(predicate.GenerationChangedPredicate{}, predicates.ReconcileRequestedPredicate{})
	case "ConfigMap", "Secret":
		filter, mapping = predicate.ResourceVersionChangedPredicate{}, theirs.ofConfig
	}
	keys := map[types.NamespacedName]bool{}
	if old != nil && new != nil && !filter.Update(event.UpdateEvent{ObjectOld: old, ObjectNew: new}) {
		return keys
	}
	for _, s := range statesOf(old, new) {
		if kind == "Kustomization" {
			keys[client.ObjectKeyFromObject(s)] = true
			continue
		}
		for _, request := range mapping(listing{world: w}, kind)(w.ctx, s) {
			keys[request.NamespacedName] = true
		}
	}
	return keys
}

func statesOf(all ...client.Object) []client.Object {
	return slices.DeleteFunc(all, func(s client.Object) bool { return s == nil })
}

// Reasons for differences between the keys of the trigger and the requests of Flux.
const (
	attempted = "the cache says that the revision was attempted, and Flux skips it"
	cyclic    = "the Kustomizations with the reference have a cycle of dependencies, and Flux drops them all"
	unrelated = "Flux requests a dependency that has no reference to the object"
)

// reason says why a key is yielded and not requested by Flux, or the other way around.
func (w *world) reason(kind string, key types.NamespacedName, yielded bool, old, new client.Object) string {
	for _, s := range statesOf(old, new) {
		var sorted []dependency.Dependent
		dependencies := map[types.NamespacedName]bool{}
		for _, k := range w.using(kind, client.ObjectKeyFromObject(s).String()) {
			source, ok := s.(interface{ GetArtifact() *meta.Artifact })
			if ok && (conditions.IsReady(&k) || conditions.IsReconciling(&k)) &&
				source.GetArtifact().HasRevision(k.Status.LastAttemptedRevision) {
				if yielded && client.ObjectKeyFromObject(&k) == key {
					return attempted
				}
				continue
			}
			sorted = append(sorted, &k)
			for _, d := range k.GetDependsOn() {
				namespace := cmp.Or(d.Namespace, k.Namespace)
				dependencies[types.NamespacedName{Namespace: namespace, Name: d.Name}] = true
			}
		}
		if _, err := dependency.Sort(sorted); yielded && err != nil {
			return cyclic
		} else if !yielded && err == nil && dependencies[key] {
			return unrelated
		}
	}
	return ""
}

// TestAgreesOnRandomChanges compares, after each random change, the keys of the trigger with the requests of
// Flux. It counts the reasons of differences. Any other difference is an error.
func TestAgreesOnRandomChanges(t *testing.T) {
	if theirs == nil {
		t.Skip("TestFlux runs this with Flux's functions")
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		w := newWorld(ctx, rand.New(rand.NewPCG(1, 2)))
		defer w.running.Wait()
		defer cancel()
		w.drain()
		keys, reasons := map[string]int{}, map[string]int{}
		for range 20_000 {
			kind := pick(w.rand, append(w.kinds, w.kinds[0])...)
			old, new := kind.change()
			got, want := w.drain(), w.requested(kind.name, old, new)
			keys[kind.name] += len(want)
			for key := range union(got, want) {
				if got[key] == want[key] {
					continue
				}
				reason := w.reason(kind.name, key, got[key], old, new)
				if reason == "" {
					t.Fatalf("%s %v → %v: %v is yielded: %t, requested by Flux: %t",
						kind.name, old, new, key, got[key], want[key])
				}
				reasons[reason]++
			}
		}
		t.Logf("requests of Flux by kind: %v", keys)
		t.Logf("differences: %v", reasons)
		if len(reasons) != 3 || len(keys) != len(w.kinds) {
			t.Errorf("%d kinds have requests, want %d; there are %d reasons of differences, want 3",
				len(keys), len(w.kinds), len(reasons))
		}
	})
}

func union(a, b map[types.NamespacedName]bool) map[types.NamespacedName]bool {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}

// TestAgreesOnIndexes compares the values of all six indexes for random Kustomizations.
func TestAgreesOnIndexes(t *testing.T) {
	if theirs == nil {
		t.Skip("TestFlux runs this with Flux's functions")
	}
	w := &world{rand: rand.New(rand.NewPCG(1, 2))}
	for kind, index := range theirs.indexes {
		found := 0
		for range 2000 {
			k := &Kustomization{Spec: w.spec()}
			k.Namespace = "ns1"
			var got []string
			for _, ref := range ours[kind](nil, k) {
				got = append(got, ref.String())
			}
			want := index(k)
			found += len(want)
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %q, Flux has %q", kind, got, want)
			}
		}
		t.Logf("%s: %d keys of 2000 Kustomizations agree", kind, found)
	}
}
