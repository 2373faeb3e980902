// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package fleet

import (
	"context"
	"iter"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func names(seq iter.Seq[*Device]) []string {
	var out []string
	for d := range seq {
		out = append(out, d.Name)
	}
	slices.Sort(out)
	return out
}

func want(t *testing.T, query string, got iter.Seq[*Device], wanted ...string) {
	t.Helper()
	if g := names(got); !slices.Equal(g, wanted) {
		t.Errorf("%s yields %v, want %v", query, g, wanted)
	}
}

// full has a value for every index; bare has none where that is possible.
func full(name string) *Device {
	level, phase, isTrue := Level(3), Phase("Old"), true
	extra := map[string]bool{"debug": true}
	return &Device{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "ns", Name: name,
			Labels: map[string]string{"app.kubernetes.io/name": "app"},
			OwnerReferences: []metav1.OwnerReference{
				{UID: "owner", Name: "o"}, {UID: "controller", Name: "c", Controller: &isTrue},
			},
		},
		Spec: DeviceSpec{
			Common: Common{Team: "team"}, Optional: &Optional{Note: "note"},
			Site: "berlin", Level: &level, Enabled: true,
			Port: intstr.FromString("http"), Position: &Position{"r1", 2}, Address: [4]byte{10, 0, 0, 1},
			Firmware:     &Firmware{Version: "1.2"},
			Capabilities: []string{"gpu", "ssd", "gpu"},
			Phases:       &[]*Phase{&phase, nil},
			Disks: []Disk{
				{
					ID:     "d1",
					Secret: &SecretRef{"sns", "s1"},
					Parts:  []Partition{{"/"}, {"/var"}},
					Pools:  map[string]SecretRef{"x": {Name: "pool"}},
				},
				{ID: "d2", Secret: &SecretRef{"other", "s2"}},
				{ID: "d3"},
			},
			Spares:  []*Disk2{nil, {Serial: "sn"}},
			Options: map[string]*Opt{"urgent": {"yes"}, "nil": nil, "more": {"maybe"}},
			Extra:   &extra,
		},
		Status: DeviceStatus{Phase: "Ready"},
	}
}

func bare(name string) *Device {
	return &Device{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name}}
}

// TestQueries asks every index about an object with values and one without.
func TestQueries(t *testing.T) {
	devices := NewDeviceIndexer()
	devices.Set(full("full"))
	devices.Set(bare("bare"))

	for query, seq := range map[string]iter.Seq[*Device]{
		"BySite":              devices.BySite("berlin"),
		"ByLevel":             devices.ByLevel(3),
		"ByEnabled":           devices.ByEnabled(true),
		"ByPort":              devices.ByPort(intstr.FromString("http")),
		"ByPosition":          devices.ByPosition(Position{"r1", 2}),
		"ByAddress":           devices.ByAddress([4]byte{10, 0, 0, 1}),
		"ByFirmware":          devices.ByFirmware("1.2"),
		"ByCapabilities, 2x":  devices.ByCapabilities("gpu"),
		"ByCapabilities":      devices.ByCapabilities("ssd"),
		"ByPhases":            devices.ByPhases("Old"),
		"ByTeam":              devices.ByTeam("team"),
		"ByNote":              devices.ByNote("note"),
		"ByDiskID":            devices.ByDiskID("d3"),
		"ByMount":             devices.ByMount("/var"),
		"BySpare":             devices.BySpare("sn"),
		"ByOption":            devices.ByOption("maybe"),
		"ByUrgent":            devices.ByUrgent("yes"),
		"ByDebug":             devices.ByDebug(true),
		"ByPool":              devices.ByPool("pool"),
		"ByApp":               devices.ByApp("app"),
		"ByName":              devices.ByName("full"),
		"BySitePhase":         devices.BySitePhase("berlin", "Ready"),
		"ByDiskSecret":        devices.ByDiskSecret("sns", "s1"),
		"ByDiskAndCapability": devices.ByDiskAndCapability("d2", "ssd"),
		"ByOwner":             devices.ByOwner("owner"),
		"ByOwner, controller": devices.ByOwner("controller"),
		"ByController":        devices.ByController("controller"),
	} {
		want(t, query, seq, "full")
	}

	// Fields that are not pointers have their zero value; others have none.
	want(t, "BySite of nothing", devices.BySite(""), "bare")
	want(t, "BySitePhase of nothing", devices.BySitePhase("", ""), "bare")
	want(t, "ByEnabled(false)", devices.ByEnabled(false), "bare")
	want(t, "ByLevel of nothing", devices.ByLevel(0))
	want(t, "ByNote of nothing", devices.ByNote(""))
	want(t, "ByApp of nothing", devices.ByApp(""))
	want(t, "ByDebug(false)", devices.ByDebug(false))

	// Paths that share an element are taken from the same one.
	want(t, "ByDiskSecret across disks", devices.ByDiskSecret("sns", "s2"))
	want(t, "ByController of an owner", devices.ByController("owner"))
}

// TestSetMovesTheVersion: code that calls WaitFor can be tested with an indexer that the test fills.
func TestSetMovesTheVersion(t *testing.T) {
	devices := NewDeviceIndexer()
	d := bare("a")
	d.ResourceVersion = "7"
	if err := devices.Set(d); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := devices.WaitFor(ctx, "7"); err != nil {
		t.Error(err)
	}
}

// TestUpdateAndSnapshot moves an object between values.
func TestUpdateAndSnapshot(t *testing.T) {
	devices := NewDeviceIndexer()
	devices.Set(full("a"))
	before := devices.Snapshot()
	moved := full("a")
	moved.Spec.Site, moved.Spec.Capabilities, moved.Status.Phase = "paris", []string{"fpga"}, "Failed"
	devices.Set(moved)

	want(t, "old value", devices.BySite("berlin"))
	want(t, "new value", devices.BySite("paris"), "a")
	want(t, "old capability", devices.ByCapabilities("gpu"))
	want(t, "new pair", devices.BySitePhase("paris", "Failed"), "a")
	want(t, "old value in the snapshot", before.BySite("berlin"), "a")
	want(t, "old pair in the snapshot", before.BySitePhase("berlin", "Ready"), "a")

	devices.Delete(types.NamespacedName{Namespace: "ns", Name: "a"})
	want(t, "deleted", devices.BySite("paris"))
	if got, err := before.Get("ns", "a"); err != nil || got.Spec.Site != "berlin" {
		t.Errorf("Get from the snapshot = %v, %v", got, err)
	}
	if _, err := devices.Get("ns", "a"); err == nil {
		t.Error("Get of a deleted device succeeds")
	}
}

// TestListerIsEmbedded uses what every lister has, beside the queries.
func TestListerIsEmbedded(t *testing.T) {
	devices := NewDeviceIndexer()
	devices.Set(full("a"))
	devices.Set(bare("b"))
	want(t, "All", devices.All(), "a", "b")
	want(t, "List", devices.List(labels.SelectorFromSet(labels.Set{"app.kubernetes.io/name": "app"})), "a")
	want(t, "Namespace", devices.Namespace("ns").All(), "a", "b")
	if n := devices.Len(); n != 2 {
		t.Errorf("Len() = %d", n)
	}
}

// TestExtractorsDoNotAllocate holds when there is room in dst.
func TestExtractorsDoNotAllocate(t *testing.T) {
	d := full("a")
	keys, texts := make([]DeviceDiskSecretKey, 0, 8), make([]string, 0, 8)
	if n := testing.AllocsPerRun(100, func() {
		_ = IndexDeviceByDiskSecret(keys, d)
		_ = IndexDeviceByCapabilities(texts, d)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
