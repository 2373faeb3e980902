// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"time"
)

// Exit codes.
const (
	ok     = 0
	failed = 1 // errors in the input, or -check found a stale file
	usage  = 2
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // the process is short-lived: fewer collections save a third of its time
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run runs the command and returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "explain" {
		return explain(ctx, args[1:], stdout, stderr)
	}
	start := time.Now()
	var c command
	flags := c.flags(stderr)
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp), err == nil && flags.NArg() == 1 && flags.Arg(0) == "help":
		help(stdout, flags)
		return ok
	case err == nil && flags.NArg() == 2 && flags.Arg(0) == "help" && flags.Arg(1) == "manual":
		printManual(stdout)
		return ok
	case err != nil:
		mistypedFlag(stderr, flags, err)
		fmt.Fprintln(stderr,
			"usage: indexer-gen [flags] [packages]; indexer-gen -help lists flags and markers")
		return usage
	}
	if c.version {
		fmt.Fprintln(stdout, "indexer-gen", versionOf())
		return ok
	}
	if problem := misused(c.cfg, flags.Args()); problem != "" {
		fmt.Fprintln(stderr, "indexer-gen:", problem)
		return usage
	}
	c.cfg.Patterns = flags.Args()
	return c.generate(ctx, start, stdout, stderr)
}

// versionOf returns the version of the module, as the go command recorded it.
func versionOf() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
