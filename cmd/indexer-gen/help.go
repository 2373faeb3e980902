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
       indexer-gen explain [-format text|json|mermaid] [flags] [packages]
       indexer-gen migrate [-write directory] [-json] [packages]
       indexer-gen vet [flags] [packages]
       indexer-gen help manual

Writes typed listers, indexers and informers for the API types of the packages,
with the indexes that markers beside the types ask for. Packages are named as for
the go command; the default is the one in the working directory. explain lists the
types instead, with their indexes and methods. migrate lists hand-written index
functions, and the markers that replace them. vet reports writes to objects of
caches, and handlers of deletions that panic on tombstones.
`

const aliases = `
Mark types of other packages on an alias, as in type Pod = corev1.Pod. Group,
version, resource and scope come from the markers of kubebuilder and client-gen.
`

const closing = `
Exit codes:
  0  done; with -check: nothing is stale
  1  the input has errors and nothing was written; or -check found a stale file
  2  the command line is wrong

Manual: indexer-gen help manual
`

// help prints flags and markers from their definitions.
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

// markers returns the rows of a table of the markers and their options.
func markers() (rows [][]string) {
	for _, m := range generator.Markers() {
		rows = append(rows, wrapped(m.Name, m.Help+" (on "+m.On+")")...)
		for _, o := range m.Options {
			rows = append(rows, wrapped("  "+o.Name+"="+o.Value, o.Help)...)
		}
	}
	return rows
}

// wrapped returns a row with name, and further rows for the lines that text needs.
func wrapped(name, text string) (rows [][]string) {
	const width = 66
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			rows, name, line = append(rows, []string{name, strings.TrimSpace(line)}), "", ""
		}
		line += " " + word
	}
	return append(rows, []string{name, strings.TrimSpace(line)})
}

// misused describes a mistake in the command line, or returns "".
func misused(cfg generator.Config, args []string) string {
	if cfg.Package != "" && cfg.Output == "" {
		return "-package needs -o"
	}
	if len(args) > 0 && args[0] == "help" {
		return "there is no help on " + strings.Join(args[1:], " ") +
			"; write indexer-gen help, or indexer-gen help manual"
	}
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") {
			return arg + ": flags come before packages"
		}
	}
	return ""
}
