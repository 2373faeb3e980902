// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// document is what we read of an APIGroupDiscoveryList (Items), APIGroupList (Groups) or APIResourceList.
type document struct {
	Kind          string
	Items, Groups []struct {
		Metadata struct{ Name string } // of an item
		Name     string                // of a group
		Versions []struct {
			Version, Freshness string
			Resources          []resource
		}
	}
	GroupVersion string
	Resources    []resource
}

// resource has its name in Resource and its scope in Scope if discovery is aggregated, and otherwise in Name and
// Namespaced.
type resource struct {
	Resource, Name, Scope string
	Namespaced            bool
}

// errNextRequest says that the group has the version, and that /apis/group/version has its resources.
var errNextRequest = errors.New("the resources are in another document")

// find is the table in the package documentation. It returns nil if the resource is absent.
func (d *document) find(r schema.GroupVersionResource) (*resource, error) {
	switch {
	case d.Kind == "APIResourceList" && d.GroupVersion == r.GroupVersion().String() && len(d.Resources) > 0:
		return among(d.Resources, r.Resource), nil
	case d.Kind == "APIGroupDiscoveryList" && len(d.Items) > 0, d.Kind == "APIGroupList" && len(d.Groups) > 0:
	default:
		return nil, fmt.Errorf("discovery was answered with a %q of something else, or an empty one", d.Kind)
	}
	for _, g := range append(d.Items, d.Groups...) {
		for _, v := range g.Versions {
			switch {
			case cmp.Or(g.Metadata.Name, g.Name) != r.Group || v.Version != r.Version:
			case d.Kind == "APIGroupList":
				return nil, errNextRequest
			case v.Freshness == "Stale" || len(v.Resources) == 0:
				return nil, fmt.Errorf("discovery of %s is stale, or empty: is its API server available?", r.GroupVersion())
			default:
				return among(v.Resources, r.Resource), nil
			}
		}
	}
	return nil, nil
}

func among(all []resource, name string) *resource {
	i := slices.IndexFunc(all, func(r resource) bool { return cmp.Or(r.Resource, r.Name) == name })
	if i < 0 {
		return nil
	}
	return &all[i]
}
