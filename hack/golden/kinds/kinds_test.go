// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"iter"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
)

// names lists what a query yields, in its order.
func names(seq iter.Seq[*Machine]) []string {
	var out []string
	for m := range seq {
		out = append(out, m.Name)
	}
	return out
}

// want compares the answer of a query that has an order.
func want(t *testing.T, query string, got iter.Seq[*Machine], wanted ...string) {
	t.Helper()
	if g := names(got); !slices.Equal(g, wanted) {
		t.Errorf("%s yields %v, want %v", query, g, wanted)
	}
}

// wantSet compares the answer of a query that has none.
func wantSet(t *testing.T, query string, got iter.Seq[*Machine], wanted ...string) {
	t.Helper()
	g := names(got)
	slices.Sort(g)
	if !slices.Equal(g, wanted) {
		t.Errorf("%s yields %v, want %v", query, g, wanted)
	}
}

// wantOne compares what a query returns; "" stands for nothing.
func wantOne(t *testing.T, query string, got *Machine, ok bool, wanted string) {
	t.Helper()
	name := ""
	if ok {
		name = got.Name
	}
	if name != wanted {
		t.Errorf("%s returns %q, want %q", query, name, wanted)
	}
}

func machine(name string, spec MachineSpec) *Machine {
	return &Machine{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}, Spec: spec}
}

func TestUnique(t *testing.T) {
	machines := NewMachineIndexer()
	machines.Set(machine("b", MachineSpec{Serial: "s1", Zone: "z1"}))
	machines.Set(machine("c", MachineSpec{Serial: "s2", Zone: "z1"}))
	one, ok := machines.BySerial("s1")
	wantOne(t, "BySerial", one, ok, "b")
	one, ok = machines.BySerial("none")
	wantOne(t, "BySerial of nothing", one, ok, "")
	one, ok = machines.ByZoneSerial("z1", "s2")
	wantOne(t, "ByZoneSerial", one, ok, "c")
	for range machines.BySerialConflicts() {
		t.Error("there are no conflicts")
	}

	// A cache does not reject duplicates: it returns the lowest key.
	before := machines.Snapshot()
	machines.Set(machine("a", MachineSpec{Serial: "s1", Zone: "z2"}))
	one, ok = machines.BySerial("s1")
	wantOne(t, "BySerial of two", one, ok, "a")
	wantSet(t, "BySerialAll", machines.BySerialAll("s1"), "a", "b")
	for serial, n := range machines.BySerialConflicts() {
		if serial != "s1" || n != 2 {
			t.Errorf("conflict %s, %d", serial, n)
		}
	}
	one, ok = before.BySerial("s1")
	wantOne(t, "BySerial of the snapshot", one, ok, "b")

	machines.Delete(types.NamespacedName{Namespace: "ns", Name: "a"})
	one, ok = machines.BySerial("s1")
	wantOne(t, "BySerial after the conflict", one, ok, "b")
}

func TestOrdered(t *testing.T) {
	machines := NewMachineIndexer()
	one, ok := machines.MinWeight()
	wantOne(t, "MinWeight of nothing", one, ok, "")
	for name, weight := range map[string]int32{"heavy": 30, "light": -5, "middle": 10} {
		machines.Set(machine(name, MachineSpec{Weight: weight, Tier: Tier(name[:1])}))
	}
	want(t, "ByWeight", machines.ByWeight(10), "middle")
	want(t, "ByWeightRange", machines.ByWeightRange(-5, 30), "light", "middle")
	want(t, "ByWeightRange, empty", machines.ByWeightRange(11, 30))
	want(t, "ByWeightFrom", machines.ByWeightFrom(10), "middle", "heavy")
	one, ok = machines.MinWeight()
	wantOne(t, "MinWeight", one, ok, "light")
	one, ok = machines.MaxWeight()
	wantOne(t, "MaxWeight", one, ok, "heavy")

	// A part that is named as the method of the key is not.
	want(t, "ByCompareZoneFrom", machines.ByCompareZoneFrom(MachineCompareZoneKey{CompareValue: "a"}))

	// Of a composite key, the first part counts first.
	want(t, "ByTierWeightFrom", machines.ByTierWeightFrom(MachineTierWeightKey{"l", 0}), "middle")
	want(
		t,
		"ByTierWeightRange",
		machines.ByTierWeightRange(MachineTierWeightKey{Tier: "h"}, MachineTierWeightKey{"l", 0}),
		"heavy",
		"light",
	)

	before := machines.Snapshot()
	machines.Set(machine("light", MachineSpec{Weight: 100}))
	want(t, "ByWeightFrom after an update", machines.ByWeightFrom(10), "middle", "heavy", "light")
	want(t, "ByWeightFrom of the snapshot", before.ByWeightFrom(10), "middle", "heavy")
}

func TestOrderedAndMore(t *testing.T) {
	slot := func(n int64) *int64 { return &n }
	machines := NewMachineIndexer()
	machines.Set(machine("a", MachineSpec{Slot: slot(2), Marks: []int{1, 5}}))
	machines.Set(machine("b", MachineSpec{Slot: slot(1), Marks: []int{3}}))
	machines.Set(machine("c", MachineSpec{}))
	one, ok := machines.BySlot(2)
	wantOne(t, "BySlot", one, ok, "a")
	want(t, "BySlotFrom", machines.BySlotFrom(0), "b", "a")
	want(t, "BySlotAll", machines.BySlotAll(0))
	want(t, "ByMarkFrom", machines.ByMarkFrom(0), "a", "b", "a")
}

func TestLabels(t *testing.T) {
	machines := NewMachineIndexer()
	for name, set := range map[string]map[string]string{
		"a": {"app": "web", "env": "prod"}, "b": {"app": "web"}, "c": {"app": "db", "env": "test"}, "d": nil,
	} {
		m := machine(name, MachineSpec{})
		m.Labels = set
		machines.Set(m)
	}
	wantSet(t, "ByLabel", machines.ByLabel("app", "web"), "a", "b")
	wantSet(t, "ByLabel of nothing", machines.ByLabel("app", ""))
	for text, wanted := range map[string][]string{
		"app=web": {"a", "b"}, "app in (web,db),env": {"a", "c"}, "app=web,!env": {"b"}, "env!=prod": {"b", "c", "d"}, "": {"a", "b", "c", "d"},
	} {
		selector, err := labels.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		wantSet(t, text, machines.List(selector), wanted...)
		wantSet(t, text+" in ns", machines.Namespace("ns").List(selector), wanted...)
	}
}

func TestConditions(t *testing.T) {
	machines := NewMachineIndexer()
	set := func(name string, conditions ...metav1.Condition) {
		m := machine(name, MachineSpec{})
		m.Status.Conditions = conditions
		machines.Set(m)
	}
	set("new")
	set(
		"ready",
		metav1.Condition{Type: "Synced", Status: "False"},
		metav1.Condition{Type: "Ready", Status: "True", Reason: "Up"},
	)
	set(
		"synced",
		metav1.Condition{Type: "Synced", Status: "True", Reason: "Up"},
		metav1.Condition{Type: "Ready", Status: "False", Reason: "Down"},
	)
	wantSet(t, "ByReady", machines.ByReady(metav1.ConditionTrue), "ready")
	wantSet(t, "ByReady of nothing", machines.ByReady(""))
	wantSet(t, "ByReadyReason", machines.ByReadyReason(metav1.ConditionFalse, "Down"), "synced")
	wantSet(t, "ByReadyReason of another condition", machines.ByReadyReason(metav1.ConditionFalse, "Up"))
	wantSet(t, "ByReadySynced", machines.ByReadySynced(metav1.ConditionFalse, metav1.ConditionTrue), "synced")
}

// TestEmbeddedFilters asks for elements by a field that is behind embedded pointers. Those
// where one of these is nil have no such field, and no value.
func TestEmbeddedFilters(t *testing.T) {
	machines := NewMachineIndexer()
	set := func(name string, checks ...*Check) {
		m := machine(name, MachineSpec{})
		m.Status.Checks = checks
		machines.Set(m)
	}
	probe := func(of, target Tier) *Probe { return &Probe{ProbeType: &ProbeType{Type: of}, Target: target} }
	set("unset", nil, &Check{Result: "up"}, &Check{Probe: &Probe{Target: "db"}, Result: "up"})
	set("other", &Check{Probe: probe("Net", "db"), Result: "up"})
	set("disk", nil, &Check{Result: "down"}, &Check{Probe: probe("Disk", "db"), Result: "up"})
	wantSet(t, "ByDiskResult", machines.ByDiskResult("up"), "disk")
	wantSet(t, "ByDiskResult of another element", machines.ByDiskResult("down"))
	wantSet(t, "ByDiskTarget", machines.ByDiskTarget("db", "up"), "disk")
	net, group := "net", Tier("net")
	grouped := probe("Net", "web")
	grouped.Group = &group
	set("grouped", &Check{Probe: grouped})
	wantSet(t, "ByGroupTarget", machines.ByGroupTarget("web"), "grouped")
	wantSet(t, "ByGroupTarget of no group", machines.ByGroupTarget("db"))
	machines.Set(machine("pool", MachineSpec{Disks: []Disk{{}, {Pool: &net}}}))
	wantSet(t, "ByNetDisk", machines.ByNetDisk("net"), "pool")
	wantSet(t, "ByNetDisk of a nil pointer", machines.ByNetDisk(""))
	wantSet(t, "ByTarget", machines.ByTarget("Net"), "other")
	wantSet(t, "ByTarget of a nil pointer", machines.ByTarget(""))
}

// TestSelectable finds a field that is marked as selectable, and one index, not
// two, for one that has a marker of ours besides.
func TestSelectable(t *testing.T) {
	machines := NewMachineIndexer()
	machines.Set(machine("a", MachineSpec{Zone: "z1", Weight: 3}))
	machines.Set(machine("b", MachineSpec{Zone: "z2"}))
	wantSet(t, "ByZone", machines.ByZone("z1"), "a")
	wantSet(t, "ByWeight", machines.ByWeight(3), "a")
}

func TestReferences(t *testing.T) {
	elsewhere, nowhere := ObjectName("elsewhere"), ObjectName("")
	machines := NewMachineIndexer()
	machines.Set(machine("a", MachineSpec{
		Image:  "debian",
		Config: &ConfigRef{Name: "c1"},
		Disks: []Disk{
			{},
			{Secret: &SecretRef{Name: "s1"}},
			{Secret: &SecretRef{Name: "s2", Namespace: &elsewhere}},
		},
	}))
	machines.Set(machine("b", MachineSpec{
		Config: &ConfigRef{Name: "c1", Namespace: "elsewhere"},
		Disks:  []Disk{{Secret: &SecretRef{Name: "s1", Namespace: &nowhere}}, {Secret: &SecretRef{}}},
	}))
	machines.Set(machine("d", MachineSpec{Pulls: []string{"p1", "", "p2"}}))
	machines.Set(machine("c", MachineSpec{Pulls: []string{"p2"}}))
	in := func(namespace, name string) types.NamespacedName {
		return types.NamespacedName{Namespace: namespace, Name: name}
	}
	wantSet(t, "ByImage", machines.ByImage(in("ns", "debian")), "a")
	wantSet(t, "ByImage of another namespace", machines.ByImage(in("", "debian")))
	wantSet(t, "ByImage of nothing", machines.ByImage(in("ns", "")))
	wantSet(t, "BySecret", machines.BySecret(in("ns", "s1")), "a", "b")
	wantSet(t, "BySecret elsewhere", machines.BySecret(in("elsewhere", "s2")), "a")
	wantSet(t, "BySecret of another disk", machines.BySecret(in("elsewhere", "s1")))
	wantSet(t, "BySecret without a name", machines.BySecret(in("ns", "")))
	wantSet(t, "ByConfig", machines.ByConfig(in("ns", "c1")), "a")
	wantSet(t, "ByConfig elsewhere", machines.ByConfig(in("elsewhere", "c1")), "b")

	// A list of names refers to each, and one object of several is chosen by its key.
	one, ok := machines.ByPull(in("ns", "p2"))
	wantOne(t, "ByPull", one, ok, "c")
	wantSet(t, "ByPullAll", machines.ByPullAll(in("ns", "p2")), "c", "d")
	wantSet(t, "ByPullAll without a name", machines.ByPullAll(in("ns", "")))
	for name, n := range machines.ByPullConflicts() {
		if name != in("ns", "p2") || n != 2 {
			t.Errorf("conflict %v, %d", name, n)
		}
	}
}

func TestFunctions(t *testing.T) {
	machines := NewMachineIndexer()
	machines.Set(machine("a", MachineSpec{Weight: 100, Tier: "gold first"}))
	machines.Set(machine("b", MachineSpec{Tier: "gold"}))
	wantSet(t, "ByClass", machines.ByClass("heavy"), "a")
	wantSet(t, "ByWord", machines.ByWord("gold"), "a", "b")
	wantSet(t, "ByWord of one", machines.ByWord("first"), "a")
}
