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

	"github.com/indexer-gen/indexer-gen/generator"
)

// Exit codes.
const (
	ok     = 0
	failed = 1 // errors in the input, or -check found a stale file
	usage  = 2
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // the process is short: collecting less often saves a third of its time
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is main without a process: it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "explain" {
		return explain(ctx, args[1:], stdout, stderr)
	}
	start := time.Now()
	var cfg generator.Config
	flags := flag.NewFlagSet("indexer-gen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {}
	flags.BoolVar(&cfg.All, "all", false, "every root type, not only marked ones; of a package that marks types with\n+kubebuilder:object:root or +genclient only those, if they have list and watch")
	flags.BoolVar(&cfg.Check, "check", false, "write nothing; print a diff and exit with 1 if a file is stale")
	flags.StringVar(&cfg.HeaderFile, "header", "", "begin emitted files with the comments in this `file`")
	flags.StringVar(&cfg.Output, "o", "", "write to this `directory`, a package of its own, instead of beside the types;\n{path} in it stands for the path of a package in its module")
	flags.StringVar(&cfg.Package, "package", "", "with -o, the `name` of the emitted package (default: that of the directory)")
	flags.BoolVar(&cfg.DryRun, "dry-run", false, "write nothing; print what would be written")
	asJSON := flags.Bool("json", false, "print what is wrong, or else which files are stale or written, as JSON on standard output, one object a line")
	version := flags.Bool("version", false, "print the version")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp), err == nil && flags.NArg() == 1 && flags.Arg(0) == "help":
		help(stdout, flags)
		return ok
	case err == nil && flags.NArg() == 2 && flags.Arg(0) == "help" && flags.Arg(1) == "manual":
		printManual(stdout)
		return ok
	case err != nil:
		mistypedFlag(stderr, flags, err)
		fmt.Fprintln(stderr, "usage: indexer-gen [flags] [packages]; indexer-gen -help lists flags and markers")
		return usage
	}
	if *version {
		fmt.Fprintln(stdout, "indexer-gen", versionOf())
		return ok
	}
	if problem := misused(cfg, flags.Args()); problem != "" {
		fmt.Fprintln(stderr, "indexer-gen:", problem)
		return usage
	}
	cfg.Patterns = flags.Args()
	result, err := generator.Run(ctx, cfg)
	switch {
	case err != nil && *asJSON:
		reportJSON(stdout, err)
		return failed
	case err != nil:
		report(stderr, err)
		return failed
	}
	if *asJSON {
		filesJSON(stdout, result, cfg)
	} else {
		files(stdout, result, cfg)
	}
	return summarize(stderr, result, cfg, time.Since(start))
}

// versionOf returns the version of the module, as the go command recorded it.
func versionOf() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
