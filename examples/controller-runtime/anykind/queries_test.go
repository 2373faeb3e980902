// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package anykind

import (
	"iter"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"github.com/indexer-gen/indexer-gen/runtime/trigger"
)

var deployment = schema.GroupKind{Group: "apps", Kind: "Deployment"}

func job(name, phase string) *Job {
	j := &Job{}
	j.Namespace, j.Name, j.Status.Phase = "shop", name, phase
	j.Spec.Target = Target{"apps/v1", "Deployment", "web"}
	return j
}

func names(jobs iter.Seq[*Job]) (out []string) {
	for j := range jobs {
		out = append(out, j.Name)
	}
	slices.Sort(out)
	return out
}

// TestSides finds an autoscaler's and a policy's reference that state no namespace by the keys of targets of either scope.
func TestSides(t *testing.T) {
	infra := Namespace("infra")
	gateway, class := Kind("Gateway"), Kind("GatewayClass")
	group := "gateway.networking.k8s.io"
	jobs := NewJobIndexer()
	policy := job("policy", "")
	policy.Spec.Target = Target{}
	policy.Spec.Backends = []Backend{{&group, &class, "edge", nil}, {&group, &gateway, "edge", &infra}}
	for _, j := range []*Job{job("autoscaler", ""), policy} {
		if err := jobs.Set(j); err != nil {
			t.Fatal(err)
		}
	}
	gateways, classes := schema.GroupKind{Group: group, Kind: "Gateway"}, schema.GroupKind{Group: group, Kind: "GatewayClass"}
	for _, test := range []struct {
		by   func(schema.GroupKind, types.NamespacedName) iter.Seq[*Job]
		kind schema.GroupKind
		key  types.NamespacedName
		want int
	}{
		{jobs.ByTarget, deployment, types.NamespacedName{Namespace: "shop", Name: "web"}, 1},
		{jobs.ByTarget, deployment, types.NamespacedName{Name: "web"}, 1},
		{jobs.ByTarget, deployment, types.NamespacedName{Namespace: "other", Name: "web"}, 0},
		{jobs.ByTarget, schema.GroupKind{Kind: "Deployment"}, types.NamespacedName{Namespace: "shop", Name: "web"}, 0},
		{jobs.ByBackend, classes, types.NamespacedName{Name: "edge"}, 1},
		{jobs.ByBackend, classes, types.NamespacedName{Namespace: "infra", Name: "edge"}, 0},
		{jobs.ByBackend, gateways, types.NamespacedName{Namespace: "infra", Name: "edge"}, 1},
		{jobs.ByBackend, gateways, types.NamespacedName{Namespace: "shop", Name: "edge"}, 0},
		{jobs.ByBackend, gateways, types.NamespacedName{Name: "edge"}, 0},
	} {
		if got := names(test.by(test.kind, test.key)); len(got) != test.want {
			t.Errorf("%s %s is the target of %v, want %d", test.kind, test.key, got, test.want)
		}
	}
}

// TestStateQueries combines states with other queries, in snapshots and in watches.
func TestStateQueries(t *testing.T) {
	jobs := NewJobIndexer()
	set := func(j *Job) {
		t.Helper()
		if err := jobs.Set(j); err != nil {
			t.Fatal(err)
		}
	}
	paused := job("paused", "Running")
	paused.Annotations = map[string]string{"paused": "yes"}
	set(paused)
	set(job("running", "Running"))
	set(job("done", "Succeeded"))
	h := jobs.Handles()
	web := h.ByTarget.Equal(JobTargetKey{Kind: deployment, Key: types.NamespacedName{Namespace: "shop", Name: "web"}})
	check := func(what string, got iter.Seq[*Job], want ...string) {
		t.Helper()
		if got := names(got); !slices.Equal(got, want) {
			t.Errorf("%s are %v, want %v", what, got, want)
		}
	}
	before := jobs.Snapshot()
	check("unfinished of web", store.AllOf(web, h.Unfinished).Get(jobs.Reader()), "paused", "running")
	check("finished of web", web.Except(h.Unfinished).Get(jobs.Reader()), "done")
	check("unfinished and not paused", h.Unfinished.Except(h.Paused).Get(jobs.Reader()), "running")
	check("paused or unfinished", store.AnyOf(h.Paused, h.Unfinished).Get(jobs.Reader()), "paused", "running")

	var seen []int
	for r := range h.Unfinished.Watch(t.Context(), jobs.Reader()) {
		seen = append(seen, h.Unfinished.Count(r))
		if len(seen) == 3 || len(seen) > 1 && seen[len(seen)-1] != 2 {
			break
		}
		set(job("running", "Failed"))
	}
	if seen[0] != 2 || seen[len(seen)-1] != 1 {
		t.Errorf("a watch sees %v unfinished Jobs, want 2 and then 1", seen)
	}
	check("unfinished", jobs.Unfinished(), "paused")
	check("unfinished before", before.Unfinished(), "paused", "running")
}

// TestTrigger finds the Jobs that a change of their target concerns, whatever kind it has.
func TestTrigger(t *testing.T) {
	jobs := NewJobInformer(runtimetest.NewServer[*Job]().Source())
	uses := NewUseInformer(runtimetest.NewServer[*Use]().Source())
	one, other := job("one", ""), job("other", "")
	one.Spec.Target = Target{"golden.indexer-gen.io/v1", "Use", "u"}
	for _, j := range []*Job{one, other} {
		if err := jobs.Store().Set(j); err != nil {
			t.Fatal(err)
		}
	}
	edge := trigger.OnShared(trigger.For(jobs), uses, func(dst []JobTargetKey, u *Use) []JobTargetKey {
		return append(dst, JobTargetKey{Kind: schema.GroupKind{Group: "golden.indexer-gen.io", Kind: "Use"},
			Key: types.NamespacedName{Name: u.Name}})
	}, IndexJobByTarget, func(key JobTargetKey) iter.Seq[*Job] { return jobs.Lister().ByTarget(key.Kind, key.Key) })
	u := &Use{}
	u.Name = "u"
	if got := slices.Collect(edge.Concerned(u)); len(got) != 1 || got[0].Name != "one" {
		t.Errorf("a change of u concerns %v, want one", got)
	}
}

// TestDottedKind finds a reference with a dot in its kind under the text of another key, and so only in the caches of
// others.
func TestDottedKind(t *testing.T) {
	j := job("a", "")
	j.Spec.Target = Target{Kind: "Deployment.apps", Name: "web"}
	others, err := NewJobCacheLister(NewJobCacheIndexer(j))
	if err != nil {
		t.Fatal(err)
	}
	jobs := NewJobIndexer()
	if err := jobs.Set(j); err != nil {
		t.Fatal(err)
	}
	web := types.NamespacedName{Namespace: "shop", Name: "web"}
	if got := others.ByTarget(deployment, web); len(got) != 1 {
		t.Errorf("a cache of client-go finds %v", got)
	}
	if got := names(jobs.ByTarget(deployment, web)); got != nil {
		t.Errorf("native code finds %v", got)
	}
	if got := names(jobs.ByTarget(schema.GroupKind{Kind: "Deployment.apps"}, web)); len(got) != 1 {
		t.Errorf("native code does not find the kind itself: %v", got)
	}
}
