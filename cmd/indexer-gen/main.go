// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // errors in the input, or -check found a stale file
	exitUsage  = 2
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400) // the process is short-lived: fewer collections save a third of its time
	}
	if isVetTool(os.Args[1:]) {
		vetToolMain()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(runCommand(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// commands are the words that may follow indexer-gen, besides help. Each returns the exit code.
var commands = map[string]func(ctx context.Context, args []string, stdout, stderr io.Writer) int{
	"explain": runExplain, "migrate": runMigrate, "vet": runVet,
}

// runCommand runs the command and returns the exit code.
func runCommand(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "help" {
		return printHelpOn(ctx, args[1:], stdout, stderr)
	}
	if len(args) > 0 && commands[args[0]] != nil {
		return commands[args[0]](ctx, args[1:], stdout, stderr)
	}
	start := time.Now()
	var c commandFlags
	flags := c.newFlagSet("indexer-gen", stderr)
	flags.BoolVar(&c.cfg.Check, "check", false,
		"write nothing; print a diff and exit with 1 if a file is stale")
	flags.Var(&c.cfg.Header, "header",
		"begin emitted files with the comments in this `file`; file,year=Y replaces YEAR by Y")
	flags.BoolVar(&c.printsJSON, "json", false,
		"print the errors, or else the status of each file, as JSON on standard output,\none object per line")
	flags.BoolVar(&c.printsVersion, "version", false, "print the version")
	if code, done := parseArguments(flags, args, stderr, func() { printHelp(stdout, flags) }); done {
		return code
	}
	if c.printsVersion {
		fmt.Fprintln(stdout, "indexer-gen", moduleVersion())
		return exitOK
	}
	if problem := commandLineError(c.cfg, flags.Args()); problem != "" {
		fmt.Fprintln(stderr, "indexer-gen:", problem)
		return exitUsage
	}
	c.cfg.Patterns = flags.Args()
	return c.runGenerate(ctx, start, stdout, stderr)
}

// moduleVersion returns the version of the module, as the go command recorded it.
func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
