// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/migrate"
)

const migrateSynopsis = `usage: indexer-gen migrate [flags] [packages]

Lists the index functions that the packages add to caches of client-go and
controller-runtime, and the markers that take their place. The functions run,
in a program that is built elsewhere, and before them the init functions of all
that it links. Nothing is changed without -write.
`

const migrateClosing = `
Exit codes:
  0  printed; functions that are not understood are no error
  1  packages cannot be read or do not compile, or files cannot be written
  2  the command line is wrong
`

// runMigrate runs indexer-gen migrate and returns the exit code.
func runMigrate(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("indexer-gen migrate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {}
	asJSON := flags.Bool("json", false, "print one JSON object, with the members of migrate.Report")
	output := flags.String("write", "",
		"write the markers above aliases in this `directory`, such as internal/index, generate\n"+
			"code there, and write tests with the keys that the functions returned")
	accepted := flags.String("accept", "",
		"write also these `indexes`, separated by commas, although the notes name a condition of\n"+
			"their functions for which objects are not compared")
	fix := flags.Bool("fix", false,
		"with -write, have the packages use the code: edit registrations, names and map functions, and\n"+
			"remove the functions that nothing uses then")
	diff := flags.Bool("diff", false, "with -write, print what -fix edits, and write nothing")
	if code, done := parseArguments(flags, args, stderr, func() {
		fmt.Fprintf(stdout, "%s\nFlags:\n", migrateSynopsis)
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		fmt.Fprint(stdout, migrateClosing)
	}); done {
		return code
	}
	if *output == "" && (*fix || *diff) {
		fmt.Fprintln(stderr, "indexer-gen: -fix and -diff need -write with the directory of the code, such as internal/index")
		return exitUsage
	}
	cfg := migrate.Config{Patterns: flags.Args(), Progress: stderr}
	to := migrate.WriteConfig{Output: *output, Fix: *fix}
	if *diff {
		to.Diff = stdout
	}
	written, err := writeAndPrintMigration(ctx, cfg, to, strings.Split(*accepted, ","), *asJSON, stdout)
	fmt.Fprint(stderr, written)
	if err != nil {
		printErrors(stderr, err)
		return exitFailed
	}
	return exitOK
}

// writeAndPrintMigration prints the report. It returns what was written to to.Output, unless that is "", and which
// packages do not compile.
func writeAndPrintMigration(
	ctx context.Context, cfg migrate.Config, to migrate.WriteConfig, accepted []string, asJSON bool, stdout io.Writer,
) (written string, err error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if cfg.Dir, to.Dir = dir, dir; len(cfg.Patterns) == 0 {
		cfg.Patterns = []string{"."}
	}
	found, err := migrate.Find(ctx, cfg)
	if err != nil {
		return "", err
	}
	if to.Output != "" {
		compared, omitted := found.Compared(accepted)
		for _, a := range omitted {
			fmt.Fprintf(cfg.Progress, "indexer-gen: index %s is not written, since its notes name objects that are not compared; "+
				"to write it, pass -accept=%[1]s\n", a.Index)
		}
		out, err := migrate.Write(ctx, to, compared)
		if err != nil {
			return "", err
		}
		for _, line := range out.Left {
			written += line + "\n"
		}
		switch {
		case to.Diff != nil:
			return written, found.Broken
		case to.Fix:
			written += fmt.Sprintf("indexer-gen: edited %s; run your tests\n", countText(out.Edited, "file", "files"))
		}
		written += fmt.Sprintf("indexer-gen: wrote %s with %s; run go test there\n", to.Output, countText(out.Tests, "test", "tests"))
	}
	if !asJSON {
		return written, errors.Join(found.Text(stdout), found.Broken)
	}
	out := json.NewEncoder(stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return written, errors.Join(out.Encode(found), found.Broken)
}
