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

	"github.com/indexer-gen/indexer-gen/generator"
)

// Exit codes.
const (
	ok     = 0
	failed = 1 // errors in the input, or -check found a stale file
	usage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is main without a process: it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var cfg generator.Config
	flags := flag.NewFlagSet("indexer-gen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {}
	flags.BoolVar(&cfg.All, "all", false, "every root type, not only marked ones")
	flags.BoolVar(&cfg.Check, "check", false, "write nothing; print a diff and exit with 1 if a file is stale")
	flags.StringVar(&cfg.HeaderFile, "header", "", "begin emitted files with the comments in this `file`")
	flags.StringVar(&cfg.Output, "o", "", "write to this `directory`, a package of its own, instead of beside the types;\n{path} in it stands for the path of a package in its module")
	flags.StringVar(&cfg.Package, "package", "", "with -o, the `name` of the emitted package (default: that of the directory)")
	flags.BoolVar(&cfg.DryRun, "dry-run", false, "write nothing; print what would be written")
	asJSON := flags.Bool("json", false, "print what is wrong with the input as JSON, one object a line, on standard output")
	version := flags.Bool("version", false, "print the version")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp), err == nil && flags.NArg() == 1 && flags.Arg(0) == "help":
		help(stdout, flags)
		return ok
	case err != nil:
		fmt.Fprintln(stderr, "usage: indexer-gen [flags] [packages]; indexer-gen -help lists flags and markers")
		return usage
	}
	if *version {
		fmt.Fprintln(stdout, "indexer-gen", versionOf())
		return ok
	}
	if cfg.Package != "" && cfg.Output == "" {
		fmt.Fprintln(stderr, "indexer-gen: -package needs -o")
		return usage
	}
	if problem := misplaced(flags.Args()); problem != "" {
		fmt.Fprintln(stderr, "indexer-gen:", problem)
		return usage
	}
	cfg.Patterns = flags.Args()
	result, err := generator.Run(ctx, cfg)
	if err != nil {
		if *asJSON {
			reportJSON(stdout, err)
		} else {
			report(stderr, err)
		}
		return failed
	}
	return summarize(result, cfg, stdout, stderr)
}

// versionOf returns the version of the module, as the go command recorded it.
func versionOf() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
