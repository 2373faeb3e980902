// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/indexer-gen/indexer-gen/generator/migrate"
)

const migrateSynopsis = `usage: indexer-gen migrate [flags] [packages]

Lists the index functions that the packages add to caches of client-go and
controller-runtime, and the markers that take their place. The functions run,
in a program that is built elsewhere. Nothing is changed.
`

const migrateClosing = `
Exit codes:
  0  printed; functions that are not understood are no error
  1  the packages cannot be read, or files cannot be written
  2  the command line is wrong
`

// migration runs indexer-gen migrate and returns the exit code.
func migration(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("indexer-gen migrate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {}
	asJSON := flags.Bool("json", false, "print one JSON object, with the members of migrate.Report")
	output := flags.String("write", "",
		"write the markers above aliases in this `directory`, such as internal/index, generate\n"+
			"code there, and write tests with the keys that the functions returned")
	record := flags.String("record", "",
		"run this `function`, such as ./pkg/indexers.AddToManager, with a manager that only\n"+
			"records the index functions that it gets")
	if code, done := parse(flags, args, stderr, func() {
		fmt.Fprintf(stdout, "%s\nFlags:\n", migrateSynopsis)
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		fmt.Fprint(stdout, migrateClosing)
	}); done {
		return code
	}
	written, err := migrated(ctx, migrate.Config{Patterns: flags.Args(), Record: *record, Progress: stderr}, *output, *asJSON, stdout)
	if err != nil {
		report(stderr, err)
		return failed
	}
	fmt.Fprint(stderr, written)
	return ok
}

// migrated prints the report. It returns what was written to output, unless that is "".
func migrated(ctx context.Context, cfg migrate.Config, output string, asJSON bool, stdout io.Writer) (written string, err error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if cfg.Dir = dir; len(cfg.Patterns) == 0 {
		cfg.Patterns = []string{"."}
	}
	found, err := migrate.Find(ctx, cfg)
	if err != nil {
		return "", err
	}
	if output != "" {
		tests, err := migrate.Write(ctx, dir, output, found.Indexes)
		if err != nil {
			return "", err
		}
		written = fmt.Sprintf("indexer-gen: wrote %s with %s; run go test there\n", output, count(tests, "test", "tests"))
	}
	if !asJSON {
		return written, found.Text(stdout)
	}
	out := json.NewEncoder(stdout)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return written, out.Encode(found)
}
