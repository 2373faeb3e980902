// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/hack/internal/table"
)

// outageBound is how long a recovery from an outage may take before the run is given up.
const outageBound = 2 * time.Minute

// errGoal is returned by runOutages if informers of ours recover later than client-go's.
var errGoal = errors.New("a goal is missed")

// outage takes the server away, and returns when it is back.
type outage struct {
	name string
	do   func(context.Context) error
	// hasGoals is false for the cut: client-go's clients then retry every second by themselves, for all informers.
	hasGoals bool
}

func outagesOf(server *apiserver.Server, away time.Duration) []outage {
	during := func(ctx context.Context, begin, end func(context.Context) error) error {
		if err := begin(ctx); err != nil {
			return err
		}
		// Clients that retry every second must not be in step with the end.
		if err := wait(ctx, away+rand.N(time.Second)); err != nil {
			return err
		}
		return end(ctx)
	}
	return []outage{
		{"restart", server.RestartServer, true},
		{"down", func(ctx context.Context) error {
			return during(ctx, server.StopServer, server.StartServer)
		}, true},
		{"cut off", func(ctx context.Context) error {
			return during(ctx, func(ctx context.Context) error {
				if err := server.RefuseConnections(ctx, true); err != nil {
					return err
				}
				_, err := server.CutConnections(ctx)
				return err
			}, func(ctx context.Context) error { return server.RefuseConnections(ctx, false) })
		}, false},
	}
}

// runOutages compares the recoveries of informers from outages with those of client-go's.
func runOutages(ctx context.Context, cfg config) (err error) {
	kinds := []kind{
		{"wire", true, wireKind(clientOptions{}, nil)}, {"typed", false, typedKind(nil)}, {peer, false, peerKind},
	}
	c := &chaos{config: cfg, report: newReport(cfg.out, kinds)}
	c.server, err = apiserver.Start(ctx, apiserver.Options{CRDs: []string{crds()}, Progress: cfg.out})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.server.Close()) }()
	c.observer = newObserver(c.server.Endpoint)
	defer c.observer.client.CloseIdleConnections()
	c.writing = &clients{endpoint: c.server.Endpoint, agent: "chaos-writer", qps: -1, meter: &meter{}}
	defer c.writing.closeIdle()
	writer, err := c.writing.typed(namespaces[0])
	if err != nil {
		return err
	}
	var rows [][]string
	hasMissed := false
	for _, o := range outagesOf(c.server, cfg.away) {
		for n := range cfg.outages {
			// New informers each time: client-go's reflector remembers for two minutes how long it waited last.
			if err := c.outage(ctx, o, kinds, writer); err != nil {
				return fmt.Errorf("%s, round %d: %w", o.name, n+1, err)
			}
		}
		for _, k := range kinds {
			row, missed := compareRecoveries(o, k.name, c.fault(o.name).recoveries)
			rows, hasMissed = append(rows, row), hasMissed || missed
		}
	}
	table.Print(cfg.out, []string{"outage", "informer", "median s", "min", "max", ""}, rows)
	if hasMissed {
		return errGoal
	}
	return nil
}

// outage measures how long each informer takes, after one outage, until it has an object that was created after it.
func (c *chaos) outage(ctx context.Context, o outage, kinds []kind, writer deviceClient) error {
	ctx, cancel := context.WithTimeout(ctx, outageBound+c.away)
	defer cancel()
	defer c.stopAll()
	if err := c.startAll(ctx, kinds); err != nil {
		return err
	}
	if err := c.settleNew(ctx, writer, func(string, time.Duration) {}); err != nil {
		return fmt.Errorf("before the outage: %w", err)
	}
	if err := wait(ctx, longAftermath); err != nil {
		return err
	}
	if err := o.do(ctx); err != nil {
		return err
	}
	return c.settleNew(ctx, writer, func(kind string, took time.Duration) {
		c.recovered(o.name, kind, took)
		if c.verbose {
			c.say("%s after %s: %v", kind, o.name, took.Round(time.Millisecond))
		}
	})
}

// settleNew creates an object, and calls settled for each informer once that has it.
func (c *chaos) settleNew(ctx context.Context, writer deviceClient, settled func(kind string, took time.Duration)) error {
	began := time.Now()
	d := newDevice(namespaces[0], "", rand.New(rand.NewPCG(c.seed, 0)))
	d.GenerateName, d.Finalizers = "device-", nil
	for {
		_, err := writer.Create(ctx, d, metav1.CreateOptions{})
		if err == nil {
			break
		}
		if waited := wait(ctx, poll); waited != nil {
			return errors.Join(err, waited)
		}
	}
	t, err := c.observer.list(ctx, "")
	if err != nil {
		return err
	}
	return errors.Join(c.settle(ctx, t, func(_ int, p *patient) { settled(p.name, time.Since(began)) })...)
}

// compareRecoveries returns a row for a kind of informer, and whether it misses a goal. Its median is at most client-go's,
// and its longest recovery at most two seconds, or one and a half times client-go's longest.
func compareRecoveries(o outage, kind string, recoveries map[string][]time.Duration) (row []string, missed bool) {
	times, theirs := slices.Sorted(slices.Values(recoveries[kind])), slices.Sorted(slices.Values(recoveries[peer]))
	row = []string{o.name, kind, seconds(median(times)), seconds(times[0]), seconds(times[len(times)-1]), ""}
	if kind != peer && o.hasGoals && (median(times) > median(theirs) ||
		times[len(times)-1] > max(2*time.Second, theirs[len(theirs)-1]*3/2)) {
		row[5], missed = "MISSED", true
	}
	return row, missed
}

func median(sorted []time.Duration) time.Duration {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f", d.Seconds()) }
