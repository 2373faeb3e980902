// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package anykind

import (
	"math/rand/v2"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// targetsOf is written by hand: the key of an autoscaler's target, in the namespace of the object and in none.
func targetsOf(j *Job) (out []string) {
	gv, err := schema.ParseGroupVersion(j.Spec.Target.APIVersion)
	if err != nil || j.Spec.Target.Kind == "" || j.Spec.Target.Name == "" {
		return nil
	}
	kind := gv.WithKind(j.Spec.Target.Kind).GroupKind().String()
	return []string{kind + "/" + "/" + j.Spec.Target.Name, kind + "/" + j.Namespace + "/" + j.Spec.Target.Name}
}

// backendsOf is written by hand: the keys of a policy's targets.
func backendsOf(j *Job) (out []string) {
	for _, b := range j.Spec.Backends {
		kind, group := Kind("Service"), ""
		if b.Kind != nil {
			kind = *b.Kind
		}
		if b.Group != nil {
			group = *b.Group
		}
		if group == "core" || group == "v1" {
			group = ""
		}
		if kind == "" || b.Name == "" {
			continue
		}
		of := schema.GroupKind{Group: group, Kind: string(kind)}.String()
		if b.Namespace != nil && *b.Namespace != "" {
			out = append(out, of+"/"+string(*b.Namespace)+"/"+b.Name)
		} else {
			out = append(out, of+"//"+b.Name, of+"/"+j.Namespace+"/"+b.Name)
		}
	}
	return out
}

func unfinished(j *Job) []string {
	switch j.Status.Phase {
	case "Succeeded", "Failed":
		return nil
	}
	return []string{"unfinished"}
}

func paused(j *Job) []string {
	if j.Spec.Paused != nil && *j.Spec.Paused || j.Annotations["paused"] != "" {
		return []string{"true"}
	}
	return nil
}

func queued(j *Job) []string { return []string{j.Spec.Queue + ":" + j.Status.Phase} }

// TestKeys compares the emitted index functions with functions written by hand, for random objects.
func TestKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	some := func(of ...string) *string {
		if s := one(append(of, "absent")...); s != "absent" {
			return &s
		}
		return nil
	}
	jobs := NewJobIndexer()
	var all []*Job
	for range 500 {
		j := &Job{}
		j.Namespace, j.Name = one("a", "b"), one("x", "y", "z")
		j.Status.Phase = one("", "Running", "Succeeded", "Failed")
		j.Spec.Queue = one("", "q")
		if p := r.IntN(3); p > 0 {
			paused := p == 1
			j.Spec.Paused = &paused
		}
		if r.IntN(4) == 0 {
			j.Annotations = map[string]string{"paused": one("", "yes")}
		}
		j.Spec.Target = Target{one("", "v1", "apps/v1", "a/b/c"), one("", "Deployment", "Node"), one("", "n")}
		for range r.IntN(3) {
			j.Spec.Backends = append(j.Spec.Backends, Backend{
				some("", "apps", "core", "v1"), (*Kind)(some("", "Gateway")), one("", "n"), (*Namespace)(some("", "a", "b")),
			})
		}
		all = append(all, j)
		functions := JobIndexers()
		for name, want := range map[string][]string{
			JobByTargetIndex: targetsOf(j), JobByBackendIndex: backendsOf(j), JobUnfinishedIndex: unfinished(j),
			JobPausedIndex: paused(j), JobByOwnerIndex: queued(j),
		} {
			got, err := functions[name](j)
			slices.Sort(got)
			slices.Sort(want)
			if want, got := slices.Compact(want), slices.Compact(got); err != nil || !slices.Equal(got, want) {
				t.Fatalf("%s of %+v is %q (%v), want %q", name, j, got, err, want)
			}
		}
	}
	last := map[types.NamespacedName]*Job{}
	for _, j := range all {
		last[types.NamespacedName{Namespace: j.Namespace, Name: j.Name}] = j
		if err := jobs.Set(j); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, j := range last {
			n += len(unfinished(j))
		}
		if jobs.CountUnfinished() != n || len(slices.Collect(jobs.Unfinished())) != n {
			t.Fatalf("%d Jobs are unfinished, want %d", jobs.CountUnfinished(), n)
		}
		for _, key := range []types.NamespacedName{{Namespace: "a", Name: "n"}, {Namespace: "b", Name: "n"}, {Name: "n"}} {
			want := 0
			for _, j := range last {
				if slices.Contains(targetsOf(j), "Deployment.apps/"+key.String()) {
					want++
				}
			}
			found := slices.Collect(jobs.ByTarget(schema.GroupKind{Group: "apps", Kind: "Deployment"}, key))
			if len(found) != want {
				t.Fatalf("%s has %d Jobs, want %d", key, len(found), want)
			}
		}
	}
}
