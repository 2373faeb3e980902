// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"slices"
	"testing"

	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// TestBorrowedMarkersAreRead checks that each kubebuilder and client-gen marker that the help
// lists is registered with controller-tools, with the same options.
func TestBorrowedMarkersAreRead(t *testing.T) {
	kube, err := KubeMarkers()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range marker.Borrowed {
		def := kube.Lookup("+"+d.Name+":x=y", markers.DescribesType)
		if def == nil || def.Name != d.Name {
			t.Errorf("+%s is not read", d.Name)
			continue
		}
		var names []string
		for name := range def.Fields {
			names = append(names, name)
		}
		slices.Sort(names)
		if want := d.OptionNames(); !slices.Equal(names, want) {
			t.Errorf("+%s is documented with the options %v, and read with %v", d.Name, want, names)
		}
	}
}
