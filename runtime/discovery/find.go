// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"cmp"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// document is what we read of an APIGroupDiscoveryList (Items), APIGroupList (Groups) or APIResourceList.
type document struct {
	Kind          string
	Items, Groups []struct {
		Metadata struct{ Name string } // of an item
		Name     string                // of a group
		Versions []version
	}
	GroupVersion string
	Resources    []resource

	etag string
}

type version struct {
	Version, Freshness string
	Resources          []resource
}

// resource has its name in Resource and its scope in Scope if discovery is aggregated, and otherwise in Name and
// Namespaced.
type resource struct {
	Resource, Name, Scope string
	Namespaced            bool
}

// find returns the version of a document of all groups, or nil if it is absent.
func (d *document) find(gv schema.GroupVersion) (*version, error) {
	if (d.Kind != "APIGroupDiscoveryList" || len(d.Items) == 0) && (d.Kind != "APIGroupList" || len(d.Groups) == 0) {
		return nil, fmt.Errorf("discovery was answered with a %q, or an empty list of groups", d.Kind)
	}
	for _, g := range append(d.Items, d.Groups...) {
		for _, v := range g.Versions {
			if cmp.Or(g.Metadata.Name, g.Name) == gv.Group && v.Version == gv.Version {
				return &v, nil
			}
		}
	}
	return nil, nil
}

// serves reports whether v has r. If scope is not nil, r must have it.
func (v *version) serves(r schema.GroupVersionResource, scope meta.RESTScope) (bool, error) {
	if v.Freshness == "Stale" || len(v.Resources) == 0 {
		return false, fmt.Errorf("discovery of %s is stale, or empty: is its API server available?", r.GroupVersion())
	}
	for _, found := range v.Resources {
		if cmp.Or(found.Resource, found.Name) != r.Resource {
			continue
		}
		namespaced := found.Namespaced || found.Scope == "Namespaced"
		if scope != nil && namespaced != (scope.Name() == meta.RESTScopeNameNamespace) {
			return false, fmt.Errorf("%s is served with another scope than expected: restart the program, "+
				"with that scope", r.GroupResource())
		}
		return true, nil
	}
	return false, nil
}
