// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/quickstart/api/v1alpha1"
	"github.com/indexer-gen/indexer-gen/runtime/informer"
)

func main() {
	var o options
	flag.BoolVar(&o.onAPIServer, "apiserver", false, "run on a real API server, which is built first")
	flag.BoolVar(&o.page, "page", false, "serve a page about the informers, until you press Ctrl-C")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, o); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

type options struct{ onAPIServer, page bool }

func run(ctx context.Context, out io.Writer, o options) (err error) {
	began := time.Now()
	say := func(format string, args ...any) {
		fmt.Fprintf(out, "[%5.1fs] %s\n", time.Since(began).Seconds(), fmt.Sprintf(format, args...))
	}

	cluster := inProcess()
	if o.onAPIServer {
		say("starting etcd and an API server (the first time, building them takes minutes)")
		if cluster, err = onServer(ctx, out); err != nil {
			return err
		}
	}
	defer func() {
		if closeErr := cluster.close(); err == nil {
			err = closeErr
		}
	}()
	say("devices and sites are served by %s", cluster.where)
	fleet := newFleet(cluster)
	if err := fleet.create(ctx); err != nil {
		return err
	}
	say("created %d sites and %d devices", len(fleet.sites), len(fleet.devices))

	// This is all that a program does to have a live, indexed view of its objects.
	informers := v1alpha1.NewInformers(cluster.sources)
	defer informers.Shutdown()
	devices, sites := informers.Devices().Lister(), informers.Sites().Lister()
	if o.page {
		address, closePage, err := servePage(informers.Stats)
		if err != nil {
			return err
		}
		defer closePage()
		say("%s shows the informers until you press Ctrl-C", address)
	}

	var added, updated, deleted int
	told := make(chan struct{}) // closed when the handler knows of all that we do
	informers.Devices().AddEventHandler(informer.HandlerFuncs[*v1alpha1.Device]{
		AddFunc:    func(*v1alpha1.Device, bool) { added++ },
		UpdateFunc: func(_, _ *v1alpha1.Device) { updated++ },
		DeleteFunc: func(informer.Tombstone[*v1alpha1.Device]) {
			if deleted++; deleted == toDelete {
				close(told)
			}
		},
	}, informer.WithHandlerName("counts"))
	informers.Start(ctx)
	if err := informers.WaitForSync(ctx); err != nil {
		return err
	}
	say("the informers have synced: %d devices, %d sites", devices.Len(), sites.Len())

	before := devices.Snapshot()
	last, err := fleet.change(ctx)
	if err != nil {
		return err
	}
	// Read our own writes: wait until the cache has seen the last of them.
	if err := devices.WaitFor(ctx, last.updated); err != nil {
		return err
	}
	if err := devices.Reader().WaitUntil(ctx, last.deleted); err != nil {
		return err
	}
	say("some devices went offline, some moved, some are gone, and the informers have seen it")

	fmt.Fprintf(out, "\n%-58s %8s %8s\n", "query", "before", "now")
	for _, q := range questions(sites) {
		fmt.Fprintf(out, "%-58s %8d %8d\n", q.code, q.ask(before), q.ask(devices))
	}
	fmt.Fprintln(out)
	select {
	case <-told:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	say("the handler was told of %d devices added, %d updated, %d deleted", added, updated, deleted)
	fmt.Fprint(out, "\n", roads)
	if o.page {
		<-ctx.Done()
	}
	return nil
}
