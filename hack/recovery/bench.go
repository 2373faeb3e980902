// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
)

const (
	poll   = 5 * time.Millisecond
	settle = 1500 * time.Millisecond // how long the watches last before the server goes away
	late   = 2 * time.Minute         // after which a round is given up
)

// fault takes the server away, and returns when it is back.
type fault struct {
	name  string
	do    func(context.Context) error
	goals bool // the goals apply
}

type bench struct {
	server *apiserver.Server
	writer *client
	log    io.Writer
	last   int // of the objects that were created
}

// measure returns the times of each kind of cache, a round each.
func (b *bench) measure(ctx context.Context, f fault, rounds int) (map[string][]time.Duration, error) {
	measured := map[string][]time.Duration{}
	for n := range rounds {
		times, err := b.round(ctx, f)
		if err != nil {
			return nil, fmt.Errorf("round %d: %w", n+1, err)
		}
		var line strings.Builder
		for _, kind := range kinds {
			measured[kind] = append(measured[kind], times[kind])
			fmt.Fprintf(&line, "; %s %v", kind, times[kind].Round(time.Millisecond))
		}
		fmt.Fprintf(b.log, "%s, round %d%s\n", f.name, n+1, line.String())
	}
	return measured, nil
}

// round returns how long each kind of cache took after one fault.
func (b *bench) round(ctx context.Context, f fault) (map[string]time.Duration, error) {
	all, closeAll, err := open(b.server.Endpoint, b.log)
	if err != nil {
		return nil, err
	}
	defer closeAll()
	var running sync.WaitGroup
	defer running.Wait()
	ctx, cancel := context.WithTimeout(ctx, late)
	defer cancel()
	for _, c := range all {
		running.Go(func() { c.run(ctx) })
	}
	if _, err := b.await(ctx, all); err != nil {
		return nil, fmt.Errorf("before the fault: %w", err)
	}
	select {
	case <-time.After(settle):
	case <-ctx.Done():
	}
	if err := f.do(ctx); err != nil {
		return nil, err
	}
	return b.await(ctx, all)
}

// await creates an object, and returns after what time each cache held it.
func (b *bench) await(ctx context.Context, all map[string]cached) (map[string]time.Duration, error) {
	began := time.Now()
	tick := time.NewTicker(poll)
	defer tick.Stop()
	b.last++
	name := fmt.Sprint("device-", b.last)
	d := &fleet.Device{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec:       fleet.DeviceSpec{Site: "berlin", Model: "m1"},
		Status:     fleet.DeviceStatus{Phase: fleet.DeviceOnline},
	}
	var created error = context.DeadlineExceeded
	times := map[string]time.Duration{}
	for len(times) < len(all) {
		if created != nil {
			_, created = b.writer.devices.Create(ctx, d, metav1.CreateOptions{})
		}
		for kind, c := range all {
			if _, done := times[kind]; !done && created == nil && c.has(name) {
				times[kind] = time.Since(began)
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for %s (create: %v) in %d caches, of which %d hold it: %w",
				name, created, len(all), len(times), context.Cause(ctx))
		}
	}
	return times, nil
}
