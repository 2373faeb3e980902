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
	"os/exec"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/indexer-gen/indexer-gen/generator/vet"
)

const vetHelp = `usage: indexer-gen vet [flags] [packages]

Reports writes to objects that came from an informer's cache and were not copied
(cachemutation), and handlers of deletions that panic on tombstones or ignore
them (tombstone), in programs with any cache. Flags and exit codes are those of
go vet, which runs the analyzers and caches what they find.

Flags:
  -cachemutation=false, -tombstone=false
        leave an analyzer out
  -tests
        read the files of tests, too
  -json, -c=N, -fix, -diff, -tags list, -p n, and other flags of go vet
`

// vetting runs go vet with this program as its tool, and returns the exit code.
func vetting(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 1 && (args[0] == "help" || args[0] == "-help" || args[0] == "-h" || args[0] == "--help") {
		fmt.Fprint(stdout, vetHelp)
		return ok
	}
	self, err := os.Executable()
	if err != nil {
		fmt.Fprintln(stderr, "indexer-gen vet:", err)
		return failed
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"vet", "-vettool=" + self}, args...)...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		fmt.Fprintln(stderr, "indexer-gen vet:", err)
		return failed
	}
	return ok
}

// isVetTool reports whether go vet runs this program as its tool.
func isVetTool(args []string) bool {
	return len(args) > 0 && (args[0] == "-flags" || args[0] == "-V=full" || strings.HasSuffix(args[len(args)-1], ".cfg"))
}

// vetTool does what go vet asks for, and ends the program.
func vetTool() {
	vet.Flags(flag.CommandLine)
	unitchecker.Main(vet.Analyzers()...)
}
