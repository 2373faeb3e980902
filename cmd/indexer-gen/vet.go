// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/indexer-gen/indexer-gen/generator/progress"
	"github.com/indexer-gen/indexer-gen/generator/vet"
)

const vetHelp = `usage: indexer-gen vet [-cachemutation=false] [-tombstone=false] [-tests] [flags of go vet] [packages]

Reports writes to objects that came from an informer's cache and were not copied (cachemutation), and handlers of
deletions that panic on tombstones or ignore them (tombstone). -tests reads the files of tests, too. Other flags, such
as -json, -fix, -tags and -p, and exit codes are those of go vet, which runs the analyzers and caches what they find.
`

// runVet runs go vet with this program as its tool, and returns the exit code.
func runVet(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 1 && strings.Contains(" -help -h --help ", " "+args[0]+" ") {
		fmt.Fprint(stdout, vetHelp)
		return exitOK
	}
	self, err := os.Executable()
	cmd := exec.CommandContext(ctx, "go", append([]string{"vet", "-vettool=" + self}, args...)...)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err == nil {
		stop := progress.Start(stderr, "loading and analyzing packages")
		err = cmd.Run()
		stop()
	}
	if err != nil && cmd.ProcessState == nil {
		fmt.Fprintln(stderr, "indexer-gen vet:", err)
		return exitFailed
	}
	return cmd.ProcessState.ExitCode()
}

// isVetTool reports whether go vet runs this program as its tool.
func isVetTool(args []string) bool {
	return len(args) > 0 && (args[0] == "-flags" || args[0] == "-V=full" || strings.HasSuffix(args[len(args)-1], ".cfg"))
}

// vetToolMain does what go vet asks for, and ends the program.
func vetToolMain() {
	vet.Flags(flag.CommandLine)
	unitchecker.Main(vet.Analyzers()...)
}
