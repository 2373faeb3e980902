// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informers

import (
	"k8s.io/client-go/informers/admissionregistration"
	"k8s.io/client-go/informers/apiserverinternal"
	"k8s.io/client-go/informers/apps"
	"k8s.io/client-go/informers/autoscaling"
	"k8s.io/client-go/informers/batch"
	"k8s.io/client-go/informers/certificates"
	"k8s.io/client-go/informers/coordination"
	"k8s.io/client-go/informers/core"
	"k8s.io/client-go/informers/discovery"
	"k8s.io/client-go/informers/events"
	"k8s.io/client-go/informers/extensions"
	"k8s.io/client-go/informers/flowcontrol"
	"k8s.io/client-go/informers/networking"
	"k8s.io/client-go/informers/node"
	"k8s.io/client-go/informers/policy"
	"k8s.io/client-go/informers/rbac"
	"k8s.io/client-go/informers/resource"
	"k8s.io/client-go/informers/scheduling"
	"k8s.io/client-go/informers/storage"
	"k8s.io/client-go/informers/storagemigration"
)

// Each method of this file leads to the informers of one API group of client-go 0.36.

func (f *factory) Admissionregistration() admissionregistration.Interface {
	return admissionregistration.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Internal() apiserverinternal.Interface {
	return apiserverinternal.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Apps() apps.Interface {
	return apps.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Autoscaling() autoscaling.Interface {
	return autoscaling.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Batch() batch.Interface {
	return batch.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Certificates() certificates.Interface {
	return certificates.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Coordination() coordination.Interface {
	return coordination.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Core() core.Interface {
	return core.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Discovery() discovery.Interface {
	return discovery.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Events() events.Interface {
	return events.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Extensions() extensions.Interface {
	return extensions.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Flowcontrol() flowcontrol.Interface {
	return flowcontrol.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Networking() networking.Interface {
	return networking.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Node() node.Interface {
	return node.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Policy() policy.Interface {
	return policy.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Rbac() rbac.Interface {
	return rbac.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Resource() resource.Interface {
	return resource.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Scheduling() scheduling.Interface {
	return scheduling.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Storage() storage.Interface {
	return storage.New(f.ours, f.namespace, f.tweakListOptions)
}

func (f *factory) Storagemigration() storagemigration.Interface {
	return storagemigration.New(f.ours, f.namespace, f.tweakListOptions)
}
