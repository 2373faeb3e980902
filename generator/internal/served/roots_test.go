// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served_test

import (
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/loadtest"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// TestRoots reads how a root type is served, or says why a marked type is none.
func TestRoots(t *testing.T) {
	for markers, want := range map[string]string{
		"":                                       "example.com/v1 widgets true",
		"// +kubebuilder:resource:path=gizmos":   "example.com/v1 gizmos true",
		"// +kubebuilder:resource:scope=Cluster": "example.com/v1 widgets false",
		"// +genclient\n// +genclient:nonNamespaced":          "example.com/v1 widgets false",
		"// +resourceName=things":                             "example.com/v1 things true",
		"// +kubebuilder:resource:path=a\n// +resourceName=b": "example.com/v1 a true: +kubebuilder:resource:path=a of Widget contradicts",
		"// +genclient\n// +genclient:noVerbs":                "example.com/v1 widgets true: +genclient:noVerbs says that Widget cannot be listed and watched",
		"// +kubebuilder:unservedversion":                     "example.com/v1 widgets true: +kubebuilder:unservedversion says",
		"// +kubebuilder:resource:path=a,nonsense=b":          "example.com/v1 widgets true: cannot read +kubebuilder:resource:path=a,nonsense=b",
	} {
		p, pkg := loadtest.Program(t, loadtest.Widget("// +index:owner\n"+markers+"\n", ""))
		all, err := served.KubeMarkers()
		if err != nil {
			t.Fatal(err)
		}
		kube := served.KubeMarkersOf(p, all, pkg)
		roots, mistakes := served.Roots(p, collect.All(p, target.Options{Dir: "/m"}), pkg, kube)
		if len(roots) != 1 || len(mistakes) > 0 {
			t.Fatalf("%s: %d roots, %v", markers, len(roots), mistakes)
		}
		own, out := &served.Package{Program: p, Pkg: pkg, Kube: kube, All: all}, &model.Type{Kind: "Widget"}
		own.Set(out, roots[0])
		own.ReportContradictions(roots[0])
		got := out.Group + "/" + out.Version + " " + out.Resource + " false"
		if out.Namespaced {
			got = strings.TrimSuffix(got, "false") + "true"
		}
		if len(p.Report.List) > 0 {
			got += ": " + p.Report.List[0].Message
		}
		if got != want && (!strings.Contains(want, ":") || !strings.HasPrefix(got, want)) {
			t.Errorf("%s: %s\nwant %s", markers, got, want)
		}
	}
}

// TestNoRoots says why a marked type is no root type.
func TestNoRoots(t *testing.T) {
	for source, want := range map[string]string{
		"// +index:owner\ntype T struct{}": "it does not embed metav1.TypeMeta",
		"// +index:owner\ntype T string":   "it is not a struct",
		"// +index:owner\ntype T struct {\nmetav1.TypeMeta ~json:\",inline\"~\nmetav1.ListMeta ~json:\"metadata\"~\n}": "it embeds metav1.ListMeta",
	} {
		p, pkg := loadtest.Program(t, source)
		roots, mistakes := served.Roots(p, collect.All(p, target.Options{Dir: "/m"}), pkg, nil)
		if len(roots) != 0 || len(mistakes) != 1 || !strings.Contains(mistakes[0].Message, "T is not a root type: "+want) {
			t.Errorf("%s: %d roots, %v", source, len(roots), mistakes)
		}
	}
}
