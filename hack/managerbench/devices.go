// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/examples/apiserver/restconfig"
	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// creators is how many Devices are created at a time.
const creators = 16

// perSite is how many Devices stand at a site.
const perSite = 50

func device(i int) *fleet.Device {
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

// create creates n Devices.
func create(ctx context.Context, e apiserver.Endpoint, n int) error {
	config := restconfig.New(e)
	config.QPS = -1
	c, err := client.New(config, client.Options{Scheme: scheme(), Mapper: mapper()})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range creators {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if err := c.Create(ctx, device(i)); err != nil {
					cancel(err)
				}
			}
		})
	}
	workers.Wait()
	return context.Cause(ctx)
}

func scheme() *runtime.Scheme {
	s := runtime.NewScheme()
	if err := fleet.AddToScheme(s); err != nil {
		panic(err) // the types of one package do not conflict
	}
	return s
}

func mapper() meta.RESTMapper {
	m := meta.NewDefaultRESTMapper(nil)
	m.Add(fleet.GroupVersion.WithKind("Device"), meta.RESTScopeNamespace)
	return m
}
