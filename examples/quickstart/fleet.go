// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// fleet is the sites and devices that this program writes to the cluster.
type fleet struct {
	cluster *cluster
	sites   []*v1alpha1.Site
	devices []*v1alpha1.Device
}

func newFleet(c *cluster) *fleet {
	f := &fleet{cluster: c}
	for _, s := range []struct{ name, region string }{{"berlin", "eu"}, {"lyon", "eu"}, {"boston", "us"}} {
		f.sites = append(f.sites, &v1alpha1.Site{
			TypeMeta:   metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "Site"},
			ObjectMeta: metav1.ObjectMeta{Name: s.name},
			Spec:       v1alpha1.SiteSpec{Region: s.region},
		})
	}
	return f
}

// create makes the sites, and 300 devices that belong to them.
func (f *fleet) create(ctx context.Context) error {
	for _, s := range f.sites {
		if err := f.cluster.sites.Create(ctx, s); err != nil {
			return err
		}
	}
	for i := range 300 {
		d := newDevice(i, f.sites[i%len(f.sites)])
		if err := f.cluster.devices.Create(ctx, d); err != nil {
			return err
		}
		f.devices = append(f.devices, d)
	}
	return nil
}

func newDevice(i int, site *v1alpha1.Site) *v1alpha1.Device {
	d := &v1alpha1.Device{
		TypeMeta: metav1.TypeMeta{APIVersion: v1alpha1.GroupVersion.String(), Kind: "Device"},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: [...]string{"team-a", "team-b"}[i%2],
			Name:      fmt.Sprintf("device-%03d", i),
			Labels:    map[string]string{"model": fmt.Sprintf("m%d", i%4)},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: v1alpha1.GroupVersion.String(), Kind: "Site", Name: site.Name, UID: site.UID,
			}},
		},
		Spec: v1alpha1.DeviceSpec{
			Site:         site.Name,
			Model:        fmt.Sprintf("m%d", i%4),
			Capabilities: []v1alpha1.Capability{v1alpha1.Camera},
		},
		Status: v1alpha1.DeviceStatus{Phase: v1alpha1.DeviceOnline},
	}
	if i%5 == 0 {
		d.Spec.Capabilities = append(d.Spec.Capabilities, v1alpha1.Lidar)
	}
	if i%3 == 0 {
		d.Spec.Firmware = &v1alpha1.Firmware{Version: "1.4.2"}
	}
	return d
}

// written says what to wait for after a change.
type written struct {
	updated string // the resourceVersion of the last update
	deleted func(store.Reader[types.NamespacedName, *v1alpha1.Device]) bool
}

// toDelete is how many devices change deletes.
const toDelete = 25

// change takes 40 devices offline, moves 20 to another site and deletes some.
func (f *fleet) change(ctx context.Context) (last written, err error) {
	for i, d := range f.devices[:60] {
		if i < 40 {
			d.Status.Phase = v1alpha1.DeviceOffline
		} else {
			d.Spec.Site = map[string]string{"berlin": "lyon", "lyon": "boston", "boston": "berlin"}[d.Spec.Site]
		}
		if err := f.cluster.devices.Update(ctx, d); err != nil {
			return last, err
		}
		last.updated = d.ResourceVersion
	}
	gone := f.devices[100 : 100+toDelete]
	for _, d := range gone {
		if err := f.cluster.devices.Delete(ctx, d); err != nil {
			return last, err
		}
	}
	// A deletion returns no version to wait for: wait until the objects are gone.
	last.deleted = func(r store.Reader[types.NamespacedName, *v1alpha1.Device]) bool {
		for _, d := range gone {
			if _, there := r.Get(store.KeyOf(d)); there {
				return false
			}
		}
		return true
	}
	return last, nil
}
