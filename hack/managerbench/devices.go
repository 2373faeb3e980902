// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path/filepath"
	"runtime"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
)

// The variants for Devices. The first holds them in a slice, without a manager. Those that end in idle have no
// reconcilers.
const (
	alone       = "Devices alone"
	theirs      = "controller-runtime"
	newInformer = "NewInformer"
	newCache    = "NewCache"
	idle        = ", idle"
)

func devices() workload {
	return workload{
		objects: "Devices", server: apiserver.Options{CRDs: []string{crds()}}, object: device, measure: reconcileDevices,
		variants: []string{alone, theirs, newInformer, newCache, theirs + idle, newInformer + idle, newCache + idle},
		columns: []column{
			{"sync CPU s", "cpu", 1, 2}, {"peak MB", "peak", 1e6, 1}, {"live MB", "live", 1e6, 1},
			{"overhead B/Device", "overhead", 1, 0}, {"watches", "watches", 1, 0},
			{"list 50, µs", "list", 1, 1}, {"loop", "loop", 1, 1}, {"typed", "typed", 1, 2},
		},
		derive: func(medians map[string]figures, n float64) {
			for _, variant := range []string{theirs, newInformer, newCache} {
				medians[variant]["overhead"] = (medians[variant+idle]["live"] - medians[alone]["live"]) / n
			}
		},
		goals: []goal{
			{"NewCache, sync CPU", 1. / 3, newCache, "cpu", theirs, "cpu"},
			{"NewCache, live heap", 0.6, newCache, "live", theirs, "live"},
			{"NewCache, peak", 0.5, newCache, "peak", theirs, "peak"},
			{"NewInformer, overhead", 1. / 3, newInformer, "overhead", theirs, "overhead"},
			{"NewCache, list 50", 1, newCache, "list", theirs, "list"},
			{"NewCache, list 50 against the loop", 1.15, newCache, "list", newCache, "loop"},
			{"the same 50 from the typed lister", 0.2, newCache, "typed", newCache, "list"},
		},
	}
}

// crds is the directory of the definition of Devices.
func crds() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "examples", "quickstart", "config", "crd")
}

// perSite is how many Devices stand at a site.
const perSite = 50

func device(i int) client.Object {
	d := &fleet.Device{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: fmt.Sprint("namespace-", i%20), Name: fmt.Sprint("device-", i),
			Labels:      map[string]string{"app.kubernetes.io/name": "fleet", "rack": fmt.Sprint("rack-", i%100)},
			Annotations: map[string]string{"fleet.example.com/note": fmt.Sprintf("device %d of the fleet, as installed", i)},
		},
		Spec: fleet.DeviceSpec{
			Site: fmt.Sprint("site-", i/perSite), Model: fmt.Sprint("model-", i%7),
			Capabilities: []fleet.Capability{fleet.Camera, fleet.LTE}, Firmware: &fleet.Firmware{Version: "1.2.3"},
		},
		Status: fleet.DeviceStatus{Phase: fleet.DeviceOnline},
	}
	for _, kind := range []string{"Ready", "Reachable", "UpToDate"} {
		d.Status.Conditions = append(d.Status.Conditions, metav1.Condition{
			Type: kind, Status: metav1.ConditionTrue, Reason: "AsExpected", Message: "the device is as it should be",
			LastTransitionTime: metav1.Unix(1767225600+int64(i), 0), // so that no two Devices share their conditions
		})
	}
	return d
}
