// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package anykind

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// recorder keeps the index functions that a manager would get.
type recorder map[string]client.IndexerFunc

func (r recorder) IndexField(_ context.Context, _ client.Object, name string, f client.IndexerFunc) error {
	r[name] = f
	return nil
}

// keyOf is the key of a reference, as projects print it.
func keyOf(apiVersion, kind, namespace, name string) []string {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || kind == "" || name == "" {
		return nil
	}
	return []string{gv.WithKind(kind).GroupKind().String() + "/" + namespace + "/" + name}
}

// ownersOf returns the keys of owners of any kind, in the namespace of the object and in none.
func ownersOf(j *Job) (out []string) {
	for _, o := range j.OwnerReferences {
		out = append(out, keyOf(o.APIVersion, o.Kind, "", o.Name)...)
		out = append(out, keyOf(o.APIVersion, o.Kind, j.Namespace, o.Name)...)
	}
	return out
}

// usedBy returns the key of what a cluster-scoped usage protects, as Crossplane's Usage has it.
func usedBy(u *Use) []string {
	return keyOf(u.Spec.Of.APIVersion, u.Spec.Of.Kind, "", u.Spec.Of.Name)
}

// involvedIn returns the key of an object reference, as events have it.
func involvedIn(u *Use) []string {
	return keyOf(u.Spec.By.APIVersion, u.Spec.By.Kind, u.Spec.By.Namespace, u.Spec.By.Name)
}

// serving returns a constant if a backend is a Service.
func serving(j *Job) []string {
	for _, b := range j.Spec.Backends {
		if b.Kind != nil && *b.Kind == "Service" {
			return []string{"yes"}
		}
	}
	return nil
}

// busy returns a constant for running jobs with a backend of some group, and for those that cannot be paused.
func busy(j *Job) []string {
	named := slices.ContainsFunc(j.Spec.Backends, func(b Backend) bool {
		return b.Name == "b" && (b.Group == nil || *b.Group != "")
	})
	if j.Status.Phase == "Running" && named || j.Spec.Paused != nil && !*j.Spec.Paused {
		return []string{"true"}
	}
	return nil
}

// sorted returns the keys once each, in order.
func sorted(keys []string) []string { slices.Sort(keys); return slices.Compact(keys) }

// TestTargets compares the keys in the three targets with those of functions written by hand, for random objects.
func TestTargets(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	fields, uses := recorder{}, recorder{}
	if err := AddJobIndexes(t.Context(), fields); err != nil {
		t.Fatal(err)
	}
	if err := AddUseIndexes(t.Context(), uses); err != nil {
		t.Fatal(err)
	}
	check := func(name string, obj client.Object, want, native, field []string, cached func(any) ([]string, error)) {
		t.Helper()
		cache, err := cached(obj)
		if err != nil {
			t.Fatal(err)
		}
		want = sorted(want)
		for target, got := range map[string][]string{"native": native, "client-go": cache, "controller-runtime": field} {
			if got := sorted(got); !slices.Equal(got, want) {
				t.Fatalf("%s of %+v is %q in %s, want %q", name, obj, got, target, want)
			}
		}
	}
	kinds, versions := []string{"", "Node", "Deployment"}, []string{"", "v1", "apps/v1", "a/b/c"}
	for range 500 {
		j, u := &Job{}, &Use{}
		j.Namespace, j.Name, u.Name = one("a", "b"), "j", "u"
		j.Spec.Queue = one("", "q", "r")
		j.Status.Phase = one("", "Running", "Succeeded", "Failed")
		for range r.IntN(3) {
			j.OwnerReferences = append(j.OwnerReferences, metav1.OwnerReference{
				APIVersion: one(versions...), Kind: one(kinds...), Name: one("", "n", "m")})
		}
		if paused := r.IntN(3); paused < 2 {
			j.Spec.Paused = new(paused == 0)
		}
		for range r.IntN(3) {
			b := Backend{Name: one("b", "c")}
			if r.IntN(2) == 0 {
				b.Kind, b.Group = new(Kind(one("", "Service", "Gateway"))), new(one("", "g"))
			}
			j.Spec.Backends = append(j.Spec.Backends, b)
		}
		j.Spec.Target = Target{one(versions...), one(kinds...), one("", "n")}
		u.Spec.Of = Target{one(versions...), one(kinds...), one("", "n")}
		u.Spec.By.APIVersion, u.Spec.By.Kind = one(versions...), one(kinds...)
		u.Spec.By.Namespace, u.Spec.By.Name = one("", "a"), one("", "n")

		var owners, targets, of, by []string
		for _, k := range IndexJobByOwnerRef(nil, j) {
			owners = append(owners, k.Kind.String()+"/"+k.Key.String())
		}
		for _, k := range IndexJobByTarget(nil, j) {
			targets = append(targets, k.Kind.String()+"/"+k.Key.String())
		}
		var backends, queues []string
		for _, k := range IndexJobByBackend(nil, j) {
			backends = append(backends, k.Kind.String()+"/"+k.Key.String())
		}
		for _, k := range IndexJobByOwner(nil, j) {
			queues = append(queues, k.Queue+":"+k.Phase)
		}
		for _, k := range IndexUseByOf(nil, u) {
			of = append(of, k.Kind.String()+"/"+k.Key.String())
		}
		for _, k := range IndexUseByBy(nil, u) {
			by = append(by, k.Kind.String()+"/"+k.Key.String())
		}
		jobs, usages := JobIndexers(), UseIndexers()
		check("owners", j, ownersOf(j), owners, fields[JobByOwnerRefIndex](j), jobs[JobByOwnerRefIndex])
		check("target", j, targetsOf(j), targets, fields[JobByTargetIndex](j), jobs[JobByTargetIndex])
		check("unfinished", j, unfinished(j), IndexJobUnfinished(nil, j), fields[JobUnfinishedIndex](j), jobs[JobUnfinishedIndex])
		check("serving", j, serving(j), IndexJobServing(nil, j), fields[JobServingIndex](j), jobs[JobServingIndex])
		check("busy", j, busy(j), IndexJobBusy(nil, j), fields[JobBusyIndex](j), jobs[JobBusyIndex])
		check("paused", j, paused(j), IndexJobPaused(nil, j), fields[JobPausedIndex](j), jobs[JobPausedIndex])
		check("backends", j, backendsOf(j), backends, fields[JobByBackendIndex](j), jobs[JobByBackendIndex])
		check("queue", j, []string{j.Spec.Queue + ":" + j.Status.Phase}, queues, fields[JobByOwnerIndex](j), jobs[JobByOwnerIndex])
		check("of", u, usedBy(u), of, uses[UseByOfIndex](u), usages[UseByOfIndex])
		check("by", u, involvedIn(u), by, uses[UseByByIndex](u), usages[UseByByIndex])
	}
}
