// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/indexer-gen/indexer-gen/examples/apiserver"
	"github.com/indexer-gen/indexer-gen/hack/internal/process"
	"github.com/indexer-gen/indexer-gen/hack/syncbench/internal/probe"
)

// bench runs the clients and keeps what they say.
type bench struct {
	flags
	workload
	programs string
	server   *apiserver.Server
	progress io.Writer
	objects  int // that exist now
	bytes    int // on the wire, of all objects in a list
	results  map[string]*figures
}

// figures are the results of one config.
type figures struct{ syncs, relists, watches []probe.Result }

func (b *bench) all(ctx context.Context) error {
	objects, err := record(ctx, b.server.Endpoint, b.workload)
	if err != nil {
		return err
	}
	for _, object := range objects {
		b.bytes += len(object)
	}
	for _, c := range b.configs {
		b.results[c.name] = &figures{}
	}
	for round := range b.rounds {
		for i := range b.configs {
			// Start each round elsewhere, so that the server's garbage collection hits different clients.
			c := b.configs[(i+3*round)%len(b.configs)]
			if err := b.sync(ctx, c); err != nil {
				return err
			}
		}
		fmt.Fprintf(b.progress, "sync: round %d of %d done\n", round+1, b.rounds)
	}
	for round := range b.replays {
		for _, c := range b.configs {
			if !c.follow {
				continue
			}
			if err := b.follow(ctx, c, objects[:min(len(objects), b.recorded)]); err != nil {
				return err
			}
		}
		fmt.Fprintf(b.progress, "watch: round %d of %d done\n", round+1, b.replays)
	}
	for round := range b.relists {
		for _, c := range b.configs {
			if !c.relist {
				continue
			}
			if err := b.relist(ctx, c); err != nil {
				return err
			}
		}
		fmt.Fprintf(b.progress, "relist: round %d of %d done\n", round+1, b.relists)
	}
	return nil
}

func (b *bench) job(c config) probe.Job {
	job := c.job
	job.URL, job.Token, job.CA = b.server.URL, b.server.Token, b.server.CA
	job.Compress, job.Objects = b.gzip, b.objects
	if b.profiles != "" {
		job.Profile = filepath.Join(b.profiles, strings.Map(fileName, c.name))
	}
	return job
}

// fileName replaces the characters that file names should not have.
func fileName(r rune) rune {
	if r == ' ' || r == ',' {
		return '-'
	}
	return r
}

// measure runs a client in a process of its own. When the client has synced and waits for a relist, it calls relist,
// which returns what the client is to wait for.
func (b *bench) measure(
	ctx context.Context, c config, job probe.Job, relist func() (string, error),
) (result probe.Result, err error) {
	cmd := exec.CommandContext(ctx, filepath.Join(b.programs, c.program))
	cmd.Env = append(os.Environ(), c.env...)
	if err := process.Run(cmd, job, &result, relist); err != nil {
		return result, fmt.Errorf("%s: %w", c.name, err)
	}
	return result, nil
}

func (b *bench) sync(ctx context.Context, c config) error {
	rest(ctx)
	before := process.CPUOf(serverName)
	result, err := b.measure(ctx, c, b.job(c), nil)
	rest(ctx)
	result.Server = process.CPUOf(serverName) - before
	b.results[c.name].syncs = append(b.results[c.name].syncs, result)
	return err
}

func (b *bench) relist(ctx context.Context, c config) error {
	job := b.job(c)
	job.Relist = true
	result, err := b.measure(ctx, c, job, func() (string, error) {
		client := b.server.HTTPClient()
		defer client.CloseIdleConnections()
		// Move etcd past the client's resourceVersion, so that the restarted server answers 410.
		if err := send(ctx, client, b.server.URL, b.advance); err != nil {
			return "", err
		}
		if err := b.server.RestartServer(ctx); err != nil {
			return "", err
		}
		// Everything but one object is as it was. That one tells the end.
		namespace, name := b.key(b.objects)
		err := send(ctx, client, b.server.URL, b.object(b.objects)...)
		b.objects++
		return namespace + "/" + name, err
	})
	if err == nil && result.Lists < 2 {
		err = fmt.Errorf("%s: it did not relist", c.name)
	}
	b.results[c.name].relists = append(b.results[c.name].relists, result)
	return err
}

// follow has a client follow a watch that modifies the objects in turn.
func (b *bench) follow(ctx context.Context, c config, objects [][]byte) error {
	r, err := serveReplay(b.encoding, objects, b.events)
	if err != nil {
		return err
	}
	defer r.Close()
	job := b.job(c)
	job.URL, job.Token, job.CA = r.URL, "", nil
	job.Objects, job.Follow = len(objects), markerNamespace+"/"+markerName
	result, err := b.measure(ctx, c, job, nil)
	b.results[c.name].watches = append(b.results[c.name].watches, result)
	return err
}
