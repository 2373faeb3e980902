// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"slices"
	"testing"

	"sigs.k8s.io/controller-tools/pkg/markers"
)

// TestBorrowedMarkersAreRead: what the help says of markers of others is what
// controller-tools' registry, which reads them, has been told of them.
func TestBorrowedMarkersAreRead(t *testing.T) {
	kube, err := kubeMarkers()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range borrowed {
		def := kube.Lookup("+"+d.name+":x=y", markers.DescribesType)
		if def == nil || def.Name != d.name {
			t.Errorf("+%s is not read", d.name)
			continue
		}
		var names []string
		for name := range def.Fields {
			names = append(names, name)
		}
		slices.Sort(names)
		if want := d.optionNames(); !slices.Equal(names, want) {
			t.Errorf("+%s is documented with the options %v, and read with %v", d.name, want, names)
		}
	}
}
