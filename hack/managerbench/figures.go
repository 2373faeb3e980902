// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"

	fleet "github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// figures are the results of a run.
type figures struct {
	CPU               time.Duration // of the sync
	Peak, Live        uint64        // bytes
	Watches           int64
	List, Loop, Typed float64 // microseconds of processor time
}

func cpuSeconds(f figures) float64 { return f.CPU.Seconds() }
func peak(f figures) float64       { return float64(f.Peak) }
func live(f figures) float64       { return float64(f.Live) }
func watches(f figures) float64    { return float64(f.Watches) }
func listTime(f figures) float64   { return f.List }
func loopTime(f figures) float64   { return f.Loop }
func typedTime(f figures) float64  { return f.Typed }

// processorTime returns what this process has spent so far.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err) // it cannot fail for this process
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// synced notes what the sync has cost.
func (f *figures) synced() {
	f.CPU = processorTime()
	text, _ := os.ReadFile("/proc/self/status")
	_, after, _ := bytes.Cut(text, []byte("\nVmHWM:"))
	line, _, _ := bytes.Cut(after, []byte("kB"))
	kib, _ := strconv.ParseUint(string(bytes.TrimSpace(line)), 10, 64)
	f.Peak = kib << 10
}

// liveHeap returns the size of the reachable heap, with what held holds.
func liveHeap(held any) uint64 {
	runtime.GC()
	runtime.GC() // what finalizers and pools held on to
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	runtime.KeepAlive(held)
	return stats.HeapAlloc
}

func medianOf[T any](all []T, of func(T) float64) float64 {
	var values []float64
	for _, one := range all {
		values = append(values, of(one))
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// copied keeps the items of the loop on the heap, as those of a List are.
var copied *fleet.DeviceList

// read measures reads of the Devices of one site, in turn. typed is nil if there is no typed store.
func (f *figures) read(
	ctx context.Context, c cache.Cache, typed *store.Store[types.NamespacedName, *fleet.Device], devices int,
) error {
	site := fmt.Sprint("site-", devices/perSite/2)
	reads := []func() int{func() int {
		list := &fleet.DeviceList{}
		_ = c.List(ctx, list, client.MatchingFields{"site": site})
		return len(list.Items)
	}}
	if typed != nil {
		lister := fleet.NewDeviceLister(typed)
		reads = append(reads, func() (n int) {
			copied = &fleet.DeviceList{Items: make([]fleet.Device, perSite)}
			for d := range lister.BySite(site) {
				d.DeepCopyInto(&copied.Items[n])
				n++
			}
			return n
		}, func() (n int) {
			for range lister.BySite(site) {
				n++
			}
			return n
		})
	}
	for _, read := range reads {
		if n := read(); n != perSite {
			return fmt.Errorf("read %d Devices of a site, want %d", n, perSite)
		}
	}
	times := perCall(reads)
	f.List = times[0]
	if typed != nil {
		f.Loop, f.Typed = times[1], times[2]
	}
	return nil
}

// perCall returns the processor times of calls in microseconds: medians of rounds in which they take turns. They
// include the collection of garbage.
func perCall(all []func() int) []float64 {
	const rounds, calls = 9, 500 // enough calls for many collections of garbage
	times := make([][]float64, len(all))
	for range rounds {
		for i, f := range all {
			began := processorTime()
			for range calls {
				f()
			}
			times[i] = append(times[i], float64((processorTime()-began).Nanoseconds())/1000/calls)
		}
	}
	var medians []float64
	for _, t := range times {
		medians = append(medians, medianOf(t, func(one float64) float64 { return one }))
	}
	return medians
}
