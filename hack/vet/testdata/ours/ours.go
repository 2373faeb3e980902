// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package ours has reads of our caches. Lines with a write to a shared object end with a comment.
package ours

import (
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func get(l v1alpha1.DeviceLister) error {
	device, err := l.Get("ns", "a")
	if err != nil {
		return err
	}
	device.Labels["a"] = "b" // shared
	own, err := l.GetCopy("ns", "a")
	if err != nil {
		return err
	}
	own.Labels["a"] = "b"
	own, err = l.Namespace("ns").GetCopy("a")
	if err != nil {
		return err
	}
	own.Labels["a"] = "b"
	device, _ = l.Lookup(types.NamespacedName{Name: "a"})
	device.Labels["a"] = "b" // shared
	device = device.DeepCopy()
	device.Labels["a"] = "b"
	return nil
}

func sequences(l v1alpha1.DeviceLister) {
	for device := range l.All() {
		device.Labels["a"] = "b" // shared
	}
	for device := range l.Snapshot().BySite("x") {
		device.Name = "b" // shared
	}
	for device := range l.BySite("x") {
		device = device.DeepCopy()
		device.Name = "b"
	}
}

func stored(s *store.Store[types.NamespacedName, *v1alpha1.Device]) {
	if device, ok := s.Reader().Get(types.NamespacedName{Name: "a"}); ok {
		device.Labels["a"] = "b" // shared
	}
}

var handler = informer.HandlerFuncs[*v1alpha1.Device]{
	AddFunc:    func(device *v1alpha1.Device, _ bool) { device.Name = "b" }, // shared
	UpdateFunc: func(_, device *v1alpha1.Device) { device.DeepCopy().Name = "b" },
	DeleteFunc: func(t informer.Tombstone[*v1alpha1.Device]) { delete(t.Object.Labels, "a") }, // shared
}
