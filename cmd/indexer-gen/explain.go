// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/indexer-gen/indexer-gen/generator"
)

const explainSynopsis = `usage: indexer-gen explain [flags] [packages]

Lists every root type of the packages with its group, version, resource and scope.
For each index it lists the paths, the Go types of the values, and the methods for
the first -target. Go types are as in code that is emitted with -o.
Types without code are listed with the reason. Nothing is written.
`

// explainFormats maps the output formats of explain to their printers.
var explainFormats = map[string]func(io.Writer, []generator.RootType) error{
	"text":    explainText,
	"json":    explainJSON,
	"mermaid": explainMermaid,
}

// runExplain runs indexer-gen explain and returns the exit code.
func runExplain(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var c commandFlags
	cfg := &c.cfg
	flags := c.newFlagSet("indexer-gen explain", stderr)
	name := flags.String("format", "text", "`text`, json, or mermaid for a diagram of the references")
	asJSON := flags.Bool("json", false,
		"like -format json; errors are JSON on standard output too, one object per line")
	if code, done := parseArguments(flags, args, stderr, func() {
		fmt.Fprintf(stdout, "%s\nFlags:\n", explainSynopsis)
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		fmt.Fprint(stdout, explainClosing)
	}); done {
		return code
	}
	if *asJSON {
		*name = "json"
	}
	format, known := explainFormats[*name]
	if !known {
		fmt.Fprintf(stderr, "indexer-gen: -format %s: it is text, json or mermaid\n", *name)
		return exitUsage
	}
	if problem := commandLineError(*cfg, flags.Args()); problem != "" {
		fmt.Fprintln(stderr, "indexer-gen:", problem)
		return exitUsage
	}
	cfg.Patterns = flags.Args()
	types, err := generator.Explain(ctx, *cfg)
	switch {
	case err != nil && *asJSON:
		printErrorsJSON(stdout, err)
		return exitFailed
	case err != nil:
		printErrors(stderr, err)
		return exitFailed
	}
	if err := format(stdout, types); err != nil {
		printErrors(stderr, err)
		return exitFailed
	}
	return exitOK
}

const explainClosing = `
Exit codes:
  0  printed
  1  the input has errors
  2  the command line is wrong
`

// explainJSON prints the types as one array.
func explainJSON(w io.Writer, types []generator.RootType) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	return out.Encode(types)
}
