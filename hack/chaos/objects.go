// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/lister"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// The decoders decode an object of the server independently of the runtime, into
// what a cache should hold of it: typed objects lose their kind and apiVersion.

func decodeDevice(text []byte) (*fleet.Device, error) {
	d := new(fleet.Device)
	err := json.Unmarshal(text, d)
	d.TypeMeta = metav1.TypeMeta{}
	return d, err
}

func decodeMetadata(text []byte) (*metav1.PartialObjectMetadata, error) {
	m := new(metav1.PartialObjectMetadata)
	err := json.Unmarshal(text, m)
	m.TypeMeta = metav1.TypeMeta{}
	return m, err
}

func decodeUnstructured(text []byte) (*unstructured.Unstructured, error) {
	u := new(unstructured.Unstructured)
	return u, u.UnmarshalJSON(text)
}

// deviceIndexes returns the checks of all indexes that generated code has.
func deviceIndexes(s *lister.Store[*fleet.Device]) []indexCheck[*fleet.Device] {
	ix := fleet.NewDeviceLister(s).Handles()
	return []indexCheck[*fleet.Device]{
		checkIndex(ix.BySitePhase, fleet.IndexDeviceBySitePhase),
		checkIndex(ix.ByOwner, lister.Owners[*fleet.Device]),
		checkIndex(ix.ByController, lister.Controller[*fleet.Device]),
		checkIndex(ix.BySite, fleet.IndexDeviceBySite),
		checkIndex(ix.ByCapability, fleet.IndexDeviceByCapability),
		checkIndex(ix.ByFirmware, fleet.IndexDeviceByFirmware),
		checkIndex(ix.ByPhase, fleet.IndexDeviceByPhase),
		checkIndex(store.AddIndex(s, "Model", byLabel[*fleet.Device]), byLabel[*fleet.Device]),
	}
}

// labelIndexed returns a store that is indexed by a label, and the check of the index.
func labelIndexed[T metav1.Object]() (*store.Store[types.NamespacedName, T], []indexCheck[T]) {
	s := store.ForObjects[T]()
	return s, []indexCheck[T]{checkIndex(store.AddIndex(s, "Model", byLabel[T]), byLabel[T])}
}

func byLabel[T metav1.Object](dst []string, obj T) []string {
	return append(dst, obj.GetLabels()["model"])
}
