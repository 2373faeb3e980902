// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
)

const (
	writerCount  = 3
	namesPerPair = 12 // of a writer and a namespace
	writePause   = 15 * time.Millisecond
	writeTimeout = 5 * time.Second
	finalizer    = "chaos.example.com/hold"
)

var namespaces = []string{"chaos-a", "chaos-b", "chaos-c"}

// filler makes a list so long that the server compresses it.
var filler = strings.Repeat("something that takes room ", 30)

// writers change objects all the time, each its own ones.
type writers struct {
	clients map[string]deviceClient // by namespace
	writes  atomic.Int64            // that succeeded
	gate    sync.RWMutex            // held for reading by each change
	running sync.WaitGroup
}

// startWriters starts the writers. They end with ctx.
func startWriters(ctx context.Context, c *clients, seed uint64) (*writers, error) {
	w := &writers{clients: make(map[string]deviceClient)}
	for _, ns := range namespaces {
		client, err := c.typed(ns)
		if err != nil {
			return nil, err
		}
		w.clients[ns] = client
	}
	for n := range writerCount {
		random := rand.New(rand.NewPCG(seed, uint64(n)+1))
		w.running.Go(func() { w.write(ctx, n, random) })
	}
	return w, nil
}

// pause waits for the changes that are under way, and keeps others from beginning
// until resume is called.
func (w *writers) pause() (resume func()) {
	w.gate.Lock()
	return w.gate.Unlock
}

func (w *writers) write(ctx context.Context, n int, random *rand.Rand) {
	tick := time.NewTicker(writePause)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		ns := namespaces[random.IntN(len(namespaces))]
		name := fmt.Sprintf("device-%d-%02d", n, random.IntN(namesPerPair))
		w.gate.RLock()
		// Changes fail while the server is down, and conflict after a restore.
		_ = w.change(ctx, ns, name, random)
		w.gate.RUnlock()
	}
}

// change changes one object, depending on the state that it is in.
func (w *writers) change(ctx context.Context, ns, name string, random *rand.Rand) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	client := w.clients[ns]
	choice, next := random.IntN(10), newDevice(ns, name, random)
	d, err := client.Get(ctx, name, metav1.GetOptions{})
	switch {
	case apierrors.IsNotFound(err):
		_, err = client.Create(ctx, next, metav1.CreateOptions{})
	case err != nil:
		return err
	case d.DeletionTimestamp != nil:
		d.Finalizers = nil
		_, err = client.Update(ctx, d, metav1.UpdateOptions{})
	case choice < 7:
		d.Spec, d.Status = next.Spec, next.Status
		d.Labels, d.OwnerReferences, d.Finalizers = next.Labels, next.OwnerReferences, next.Finalizers
		_, err = client.Update(ctx, d, metav1.UpdateOptions{})
	case choice < 8:
		err = client.Delete(ctx, name, metav1.DeleteOptions{})
	default:
		if err = client.Delete(ctx, name, metav1.DeleteOptions{}); err == nil && len(d.Finalizers) == 0 {
			w.writes.Add(1)
			_, err = client.Create(ctx, next, metav1.CreateOptions{})
		}
	}
	if err == nil {
		w.writes.Add(1)
	}
	return err
}

// newDevice returns a device with random index values.
func newDevice(ns, name string, random *rand.Rand) *fleet.Device {
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	controller := random.IntN(2) == 0
	d := &fleet.Device{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: ns, Name: name,
			Labels:      map[string]string{"model": pick("m1", "m2", "m3", "m4")},
			Annotations: map[string]string{"filler": filler},
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: fleet.GroupVersion.String(), Kind: "Site", Name: "site",
				UID: types.UID(pick("uid-1", "uid-2", "uid-3")), Controller: &controller,
			}},
		},
		Spec: fleet.DeviceSpec{
			Site: pick("berlin", "lyon", "boston"), Model: "m",
			Capabilities: []fleet.Capability{fleet.Camera, fleet.Lidar, fleet.LTE, fleet.GPU}[:random.IntN(5)],
		},
		Status: fleet.DeviceStatus{
			Phase: fleet.DevicePhase(pick("Provisioning", "Online", "Offline")),
		},
	}
	if random.IntN(2) == 0 {
		d.Spec.Firmware = &fleet.Firmware{Version: pick("1", "2"), Channel: "stable"}
	}
	if random.IntN(5) == 0 {
		d.Finalizers = []string{finalizer}
	}
	return d
}
