// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
)

const (
	stop       = "stop and start"
	compaction = "compaction"
	restore    = "restore"

	groups      = 4 // of informers that suffer from faults of their own at once
	minDuration = 100 * time.Millisecond
	maxDuration = 900 * time.Millisecond

	// Writers go on for a while after a fault: in half of the rounds, until
	// informers have recovered. After a restore it is the shorter time.
	shortAftermath = 200 * time.Millisecond
	longAftermath  = 1500 * time.Millisecond

	// restoreGap is how many writes there must be since the backup. A server that
	// is restored and written to until its versions pass the old ones cannot be
	// told from one that was not; see package reflector.
	restoreGap = 250
	// backupAge is after how many writes a stop of the server is used for a backup.
	backupAge = 1000
)

// clientFaults are what single clients suffer from.
var clientFaults = []string{
	string(apiserver.Cut), string(apiserver.HalfClose), string(apiserver.Stall), string(apiserver.Trickle),
	string(apiserver.TruncatedGzip), string(apiserver.Unauthorized), string(apiserver.Throttled),
	string(apiserver.InternalError), string(apiserver.HTML), string(apiserver.Redirect),
}

// serverFaults are what all clients suffer from.
var serverFaults = []string{stop, compaction, restore}

// round is what goes wrong at once: one fault of the server, or one for each of
// several groups of informers.
type round struct {
	duration  time.Duration
	aftermath time.Duration // for which the writers go on after it
	renew     bool          // see apiserver.Fault
	faults    []string
	of        []int // the index in faults for each informer
}

// schedule chooses rounds. Every kind of fault comes equally often among those
// of clients and those of the server.
type schedule struct {
	random *rand.Rand
	client deck
	server deck
	rounds deck
}

func newSchedule(seed uint64) *schedule {
	random := rand.New(rand.NewPCG(seed, 0))
	return &schedule{
		random: random,
		client: deck{random: random, all: clientFaults},
		server: deck{random: random, all: serverFaults},
		rounds: deck{random: random, all: []string{"client", "client", "client", "server"}},
	}
}

// next returns the next round, with at most limit faults.
func (s *schedule) next(informers, limit int) round {
	r := round{
		duration:  minDuration + time.Duration(s.random.Int64N(int64(maxDuration-minDuration))),
		aftermath: shortAftermath,
		renew:     s.random.IntN(2) == 0,
		of:        make([]int, informers),
	}
	long := s.random.IntN(2) == 0
	if s.rounds.draw() == "server" {
		r.faults = []string{s.server.draw()}
		if long && r.faults[0] != restore {
			r.aftermath = longAftermath
		}
		return r
	}
	if long {
		r.aftermath = longAftermath
	}
	for range min(groups, limit) {
		r.faults = append(r.faults, s.client.draw())
	}
	for n, i := range s.random.Perm(informers) {
		r.of[i] = n % len(r.faults)
	}
	return r
}

// deck deals out all of its cards, in random order, before it shuffles again.
type deck struct {
	random *rand.Rand
	all    []string
	left   []string
}

func (d *deck) draw() string {
	if len(d.left) == 0 {
		for _, i := range d.random.Perm(len(d.all)) {
			d.left = append(d.left, d.all[i])
		}
	}
	card := d.left[0]
	d.left = d.left[1:]
	return card
}

// disaster has a server suffer from its own faults.
type disaster struct {
	server  *apiserver.Server
	written func() int64 // how often
	saved   int64        // written as of the backup
}

// save makes a backup. The server is down meanwhile.
func (d *disaster) save(ctx context.Context) error {
	d.saved = d.written()
	return d.server.SaveData(ctx)
}

// restore goes back to the backup, once there were enough writes since.
func (d *disaster) restore(ctx context.Context) error {
	for d.written()-d.saved < restoreGap {
		if err := wait(ctx, writePause); err != nil {
			return err
		}
	}
	d.saved = d.written()
	return d.server.RestoreData(ctx)
}

// suffer returns when the fault is over.
func (d *disaster) suffer(ctx context.Context, fault string, duration time.Duration) error {
	switch {
	case fault == restore:
		return d.restore(ctx)
	case fault == compaction:
		if err := d.server.CompactData(ctx); err != nil {
			return err
		}
	case d.written()-d.saved > backupAge:
		return d.save(ctx)
	}
	if err := d.server.StopServer(ctx); err != nil {
		return err
	}
	if err := wait(ctx, duration); err != nil {
		return err
	}
	return d.server.StartServer(ctx)
}

// wait waits for d.
func wait(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
