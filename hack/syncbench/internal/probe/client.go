// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package probe

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/indexer-gen/indexer-gen/hack/internal/process"
)

// Cache is a client's cache, started.
type Cache interface {
	Synced() bool
	Len() int
	Has(namespace, name string) bool
	// Lists is how many lists and WatchLists were requested.
	Lists() int
}

// Measurer is a Cache that measures more of itself once it has synced.
type Measurer interface {
	Cache
	// Measure returns figures by name.
	Measure(context.Context) (map[string]float64, error)
}

// Main is the main function of a client, all but start, which starts a cache.
func Main(start func(context.Context, Job) (Cache, error)) {
	if err := run(start); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

const patience = 10 * time.Minute

func run(start func(context.Context, Job) (Cache, error)) error {
	ctx, cancel := context.WithTimeoutCause(context.Background(), patience, errors.New("it took too long"))
	defer cancel()
	var job Job
	caller, err := process.Begin(&job)
	if err != nil {
		return err
	}

	var result Result
	syncing, err := job.begin("sync")
	if err != nil {
		return err
	}
	cache, err := start(ctx, job)
	if err != nil {
		return err
	}
	if err := Until(ctx, cache.Synced); err != nil {
		return fmt.Errorf("no sync, %d objects: %w", cache.Len(), err)
	}
	if result.Sync, err = syncing.end(); err != nil {
		return err
	}
	// A list from the server's cache may lack recent writes.
	if err := Until(ctx, func() bool { return cache.Len() >= job.Objects }); err != nil {
		return fmt.Errorf("%d objects instead of %d: %w", cache.Len(), job.Objects, err)
	}
	if job.Follow != "" {
		following, err := job.begin("watch")
		if err != nil {
			return err
		}
		namespace, name, _ := strings.Cut(job.Follow, "/")
		if err := Until(ctx, func() bool { return cache.Has(namespace, name) }); err != nil {
			return fmt.Errorf("the end of the watch: %w", err)
		}
		if result.Watch, err = following.end(); err != nil {
			return err
		}
	}
	result.LiveHeap = process.LiveHeap(cache)
	if job.Relist {
		result.Steady = process.Resident()
		process.ForgetPeak()
		relisting, err := job.begin("relist")
		if err != nil {
			return err
		}
		marker, err := caller.Wait()
		if err != nil {
			return err
		}
		namespace, name, _ := strings.Cut(marker, "/")
		if err := Until(ctx, func() bool { return cache.Has(namespace, name) }); err != nil {
			return fmt.Errorf("the relist: %w", err)
		}
		if result.Relist, err = relisting.end(); err != nil {
			return err
		}
	}
	result.Lists = cache.Lists()
	if m, ok := cache.(Measurer); ok {
		if result.Figures, err = m.Measure(ctx); err != nil {
			return err
		}
	}
	return caller.End(result)
}

// lookEvery is often enough for seconds, and so seldom that looking does not count.
const lookEvery = 20 * time.Millisecond

// Until waits for done to be true.
func Until(ctx context.Context, done func() bool) error {
	for !done() {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(lookEvery):
		}
	}
	return nil
}

// meter is a measurement that has begun.
type meter struct {
	at   time.Time
	cpu  time.Duration
	stop func() error // the profile
}

// begin begins to measure a phase of a job.
func (j Job) begin(phase string) (meter, error) {
	stop, err := profile(j.Profile, phase)
	return meter{at: time.Now(), cpu: process.CPU(), stop: stop}, err
}

func (m meter) end() (Usage, error) {
	usage := Usage{Wall: time.Since(m.at), CPU: process.CPU() - m.cpu, Peak: process.Peak()}
	return usage, m.stop()
}
