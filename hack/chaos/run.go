// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
)

// backoff has the default waits of reflectors, written out because they bound recoveries.
var backoff = reflector.Backoff{Max: 30 * time.Second, Jitter: 1}

// recoveryBound is how long an informer may take to recover from a fault: the longest wait, which may
// begin just before the fault ends, and half a minute for the requests after it. A second long wait is
// a problem, because waits start over when a watch makes progress.
var recoveryBound = time.Duration(float64(backoff.Max)*(1+backoff.Jitter)) + 30*time.Second

const (
	// maxRate is how many requests an informer may make in a second.
	maxRate = 50
	// heapSlack is how much the heap may grow, in bytes. It varies with the objects.
	heapSlack = 8 << 20
)

// config is what the flags say.
type config struct {
	faults  int
	outages int           // if not 0, so many of each kind instead of faults
	away    time.Duration // how long the server is down or cut off, at least
	seed    uint64
	verbose bool
	out     io.Writer
}

// errProblems is returned by run if a difference, a slow recovery, a hot loop or
// a leak was found.
var errProblems = errors.New("problems were found")

// chaos is a server, the informers that are put to the test, and the writers.
type chaos struct {
	config
	*report
	server   *apiserver.Server
	observer *observer
	stranger *stranger
	writing  *clients
	writers  *writers
	disaster disaster
	patients []*patient
}

// patient is an informer of one kind, which is replaced if it does not recover.
type patient struct {
	kind
	clients clients
	subject subject
}

func run(ctx context.Context, cfg config) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c := &chaos{config: cfg, report: newReport(cfg.out, kinds())}
	c.server, err = apiserver.Start(ctx, apiserver.Options{
		CRDs:     []string{crds()},
		Flags:    []string{"--feature-gates=ShardedListAndWatch=true"},
		Progress: cfg.out,
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.server.Close()) }()
	if c.stranger, err = newStranger(); err != nil {
		return err
	}
	defer c.stranger.close()
	c.observer = newObserver(c.server.Endpoint)
	defer c.observer.client.CloseIdleConnections()

	c.writing = &clients{endpoint: c.server.Endpoint, agent: "chaos-writer", qps: -1, meter: &meter{}}
	if c.writers, err = startWriters(ctx, c.writing, cfg.seed); err != nil {
		return err
	}
	defer c.writing.closeIdle()
	defer c.writers.running.Wait()
	defer cancel()
	c.disaster = disaster{server: c.server, written: c.writers.writes.Load}

	defer c.stopAll()
	if err := c.startAll(ctx, kinds()); err != nil {
		return err
	}
	var watching sync.WaitGroup
	defer watching.Wait()
	defer cancel()
	watching.Go(func() { c.watch(ctx) })
	if err := c.wreak(ctx); err != nil {
		return err
	}
	c.print()
	if c.problems > 0 {
		return errProblems
	}
	return nil
}

func (c *chaos) startAll(ctx context.Context, kinds []kind) error {
	for _, k := range kinds {
		p := &patient{kind: k}
		p.clients = clients{
			endpoint: c.server.Endpoint,
			agent:    "chaos-" + strings.ReplaceAll(k.name, " ", "-"), meter: &meter{},
		}
		p.clients.meter.fault.Store(new(string))
		if err := c.start(ctx, p); err != nil {
			return err
		}
		c.patients = append(c.patients, p)
	}
	return nil
}

func (c *chaos) start(ctx context.Context, p *patient) (err error) {
	options := []informer.Option{
		informer.WithName(p.name), informer.WithReflector(reflector.Settings{Backoff: backoff}),
		informer.WithErrorHandler(func(err error) {
			if c.verbose {
				c.say("%v", err)
			}
		}),
	}
	p.subject, err = p.kind.start(ctx, &p.clients, options)
	return err
}

func (c *chaos) stopAll() {
	for _, p := range c.patients {
		p.subject.stop()
		p.clients.closeIdle()
	}
	c.patients = nil
}

// watch looks for hot loops until ctx ends.
func (c *chaos) watch(ctx context.Context) {
	var meters []*meter
	for _, p := range c.patients {
		meters = append(meters, p.clients.meter)
	}
	watchRates(ctx, meters, func(i int, fault string, perSecond float64) {
		if fault != "" {
			c.rate(fault, c.patients[i].name, perSecond)
		}
	})
}

// usage measures what this process uses while nothing happens.
func (c *chaos) usage(ctx context.Context) (usage, error) {
	defer c.writers.pause()()
	c.observer.client.CloseIdleConnections()
	c.writing.closeIdle()
	for _, p := range c.patients {
		p.clients.closeIdle()
	}
	err := wait(ctx, shortAftermath)
	return measureUsage(), err
}

// checkLeaks compares what the process uses in the end with what it used at first.
func (c *chaos) checkLeaks() {
	if c.last.goroutines > c.first.goroutines+len(c.patients) {
		c.problem("the run", "%d goroutines, %d at first", c.last.goroutines, c.first.goroutines)
	}
	if c.last.heap > c.first.heap+heapSlack {
		c.problem("the run", "%d bytes of heap, %d at first", c.last.heap, c.first.heap)
	}
}

// crds returns the directory of the manifests, wherever this program is run from.
func crds() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "examples", "quickstart", "config", "crd")
}
