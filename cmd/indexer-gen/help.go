// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator"
)

const synopsis = `usage: indexer-gen [flags] [packages]
       indexer-gen explain [-format text|markdown|json] [flags] [packages]
       indexer-gen help manual

Writes typed listers, indexers and informers for the API types of the packages,
with the indexes that markers beside the types ask for. Packages are named as for
the go command; without any it is the one in the working directory. explain lists
the types instead, with their indexes and the methods that these give.
`

const aliases = `
Types that are not yours are marked on an alias, as in type Pod = corev1.Pod. Group,
version, resource and scope come from kubebuilder's and client-gen's markers; the
manual has them all.
`

const closing = `
Exit codes:
  0  done; with -check: nothing is stale
  1  the input has errors and nothing was written; or -check found a stale file
  2  the command line is wrong

Manual: indexer-gen help manual
`

// help prints flags and markers. The markers come from their definitions.
func help(w io.Writer, flags *flag.FlagSet) {
	fmt.Fprintf(w, "%s\nFlags:\n", synopsis)
	out := flags.Output()
	flags.SetOutput(w)
	flags.PrintDefaults()
	flags.SetOutput(out)
	fmt.Fprintln(w, "\nMarkers:")
	table := &printer{w: w}
	table.table("  ", markers())
	fmt.Fprint(w, aliases)
	fmt.Fprint(w, closing)
}

// markers lists the markers and their options, and what each is for.
func markers() (rows [][]string) {
	for _, m := range generator.Markers() {
		rows = append(rows, []string{m.Name, m.Help + " (on " + m.On + ")"})
		for _, o := range m.Options {
			rows = append(rows, []string{"  " + o.Name + "=" + o.Value, o.Help})
		}
	}
	return rows
}

// misused says what is wrong with a command line, or "".
func misused(cfg generator.Config, args []string) string {
	if cfg.Package != "" && cfg.Output == "" {
		return "-package needs -o"
	}
	if cfg.Check && cfg.DryRun {
		return "-check and -dry-run exclude each other: both write nothing, and -check prints the diff and fails"
	}
	if len(args) > 0 && args[0] == "help" {
		return "there is no help on " + strings.Join(args[1:], " ") + "; write indexer-gen help, or indexer-gen help manual"
	}
	if len(args) > 0 {
		if problem := mistypedCommand(args[0]); problem != "" {
			return problem
		}
	}
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") {
			return arg + ": flags come before packages"
		}
	}
	return ""
}
