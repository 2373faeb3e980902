// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

const (
	// progressEvery is how often progress is printed.
	progressEvery = 15 * time.Second
	// maxShown is how many differences of one informer are printed at once.
	maxShown = 5
	// population is how many writes there are before the first fault.
	population = 100
)

// wreak inflicts the faults.
func (c *chaos) wreak(ctx context.Context) error {
	if err := c.populate(ctx); err != nil {
		return err
	}
	var err error
	if c.first, err = c.usage(ctx); err != nil {
		return err
	}
	c.say("%d informers are right at rest", len(c.patients))
	plan, told := newSchedule(c.seed), time.Now()
	for done := 0; done < c.faults; {
		r := plan.next(len(c.patients), c.faults-done)
		if err := c.suffer(ctx, r); err != nil {
			return err
		}
		if done += len(r.faults); time.Since(told) >= progressEvery || done == c.faults {
			told = time.Now()
			c.progress(done, c.faults, c.writers.writes.Load())
		}
	}
	if c.last, err = c.usage(ctx); err != nil {
		return err
	}
	c.checkLeaks()
	return nil
}

// populate waits for some objects, makes the first backup, and waits until all
// informers are right.
func (c *chaos) populate(ctx context.Context) error {
	for c.writers.writes.Load() < population {
		if err := wait(ctx, writePause); err != nil {
			return err
		}
	}
	if err := c.disaster.save(ctx); err != nil {
		return err
	}
	calm := round{aftermath: longAftermath, faults: []string{"start"}, of: make([]int, len(c.patients))}
	return c.rest(ctx, calm, time.Now())
}

// suffer makes one round of faults.
func (c *chaos) suffer(ctx context.Context, r round) error {
	for i, p := range c.patients {
		p.clients.meter.fault.Store(&r.faults[r.of[i]])
	}
	for _, f := range r.faults {
		c.suffered(f)
	}
	if c.verbose {
		c.say("%q for %v, then %v, renew %v", r.faults, r.duration, r.aftermath, r.renew)
	}
	if slices.Contains(serverFaults, r.faults[0]) {
		if err := c.disaster.suffer(ctx, r.faults[0], r.duration); err != nil {
			return err
		}
		return c.rest(ctx, r, time.Now())
	}
	for i, p := range c.patients {
		kind := apiserver.FaultKind(r.faults[r.of[i]])
		fault := apiserver.Fault{Kind: kind, URL: c.stranger.url, Renew: r.renew}
		if err := c.server.Inflict(ctx, fault, p.clients.agent); err != nil {
			return err
		}
	}
	if err := wait(ctx, r.duration); err != nil {
		return err
	}
	for _, p := range c.patients {
		if err := c.server.Inflict(ctx, apiserver.Fault{}, p.clients.agent); err != nil {
			return err
		}
	}
	return c.rest(ctx, r, time.Now())
}

// rest waits until every informer is right, and checks it. The round's faults are
// over since then.
func (c *chaos) rest(ctx context.Context, r round, since time.Time) error {
	if err := wait(ctx, r.aftermath); err != nil {
		return err
	}
	defer c.writers.pause()()
	t, err := c.observer.list(ctx, "")
	if err != nil {
		return err
	}
	bounded, cancel := context.WithDeadline(ctx, since.Add(recoveryBound))
	defer cancel()
	failed := c.settle(bounded, t, func(i int, p *patient) { c.recovered(r.faults[r.of[i]], p.name, time.Since(since)) })
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	latest, err := c.observer.version(ctx)
	if err != nil {
		return err
	}
	for i, p := range c.patients {
		if err := c.examine(ctx, p, r.faults[r.of[i]], failed[i], p.subject.check(t, latest)); err != nil {
			return err
		}
	}
	return nil
}

// settle waits until each informer is right, and calls settled for those that are before ctx ends.
func (c *chaos) settle(ctx context.Context, t truth, settled func(i int, p *patient)) []error {
	failed := make([]error, len(c.patients))
	var settling sync.WaitGroup
	for i, p := range c.patients {
		settling.Go(func() {
			if failed[i] = p.subject.settle(ctx, t); failed[i] == nil {
				settled(i, p)
			}
		})
	}
	settling.Wait()
	return failed
}

// examine reports the problems of a patient, and replaces it if there are any.
func (c *chaos) examine(ctx context.Context, p *patient, fault string, failed error, found []string) error {
	if asked, tokens := c.stranger.take(p.clients.agent); asked > 0 && p.wire {
		c.problem(fault, "%s: made %d requests to another host, %d of them with its token", p.name, asked, tokens)
	}
	if failed == nil && len(found) == 0 {
		return nil
	}
	if failed != nil {
		found = append([]string{fmt.Sprintf("not right after %v: %v", recoveryBound, failed)}, found...)
	}
	if n := len(found); n > maxShown {
		found = append(found[:maxShown], fmt.Sprintf("and %d more", n-maxShown))
	}
	c.problem(fault, "%s: %s\n\t%s", p.name, p.subject.state(), strings.Join(found, "\n\t"))
	p.subject.stop()
	return c.start(ctx, p)
}
