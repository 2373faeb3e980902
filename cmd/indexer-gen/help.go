// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator"
)

const synopsis = `usage: indexer-gen [flags] [packages]
       indexer-gen explain [-format text|json|mermaid] [flags] [packages]
       indexer-gen migrate [-write directory [-fix | -diff]] [-json] [packages]
       indexer-gen vet [flags] [packages]
       indexer-gen help [explain | migrate | vet | +marker | manual]

Writes typed listers, indexers and informers for the API types of the packages,
with the indexes that markers beside the types ask for. Packages are named as for
the go command; the default is the one in the working directory. explain lists the
types instead, with their indexes and methods. migrate runs hand-written index
functions, and lists the markers that replace them. vet reports writes to objects of
caches, and handlers of deletions that panic on tombstones.
`

const aliasesHelp = `
Mark types of other packages on an alias, as in type Pod = corev1.Pod. Group,
version, resource and scope come from the markers of kubebuilder and client-gen.
`

const closingHelp = `
Exit codes:
  0  done; with -check: nothing is stale
  1  the input has errors and nothing was written; or -check found a stale file
  2  the command line is wrong

Example of a marker: indexer-gen help +index:ref
Manual: indexer-gen help manual
`

// printHelpOn prints the help on a command or a marker, and returns the exit code.
func printHelpOn(ctx context.Context, words []string, stdout, stderr io.Writer) int {
	topics := []string{"manual"}
	switch word := strings.Join(words, " "); {
	case word == "":
		return runCommand(ctx, []string{"-help"}, stdout, stderr)
	case word == "manual":
		printManual(stdout)
		return exitOK
	case commands[word] != nil:
		return runCommand(ctx, []string{word, "-help"}, stdout, stderr)
	default:
		for _, m := range generator.Markers() {
			if m.Name == "+"+strings.TrimPrefix(word, "+") {
				printMarkerHelp(stdout, m)
				return exitOK
			}
			topics = append(topics, m.Name)
		}
		fmt.Fprintf(stderr, "indexer-gen: there is no help on %s; there is on %s, %s\n", word,
			strings.Join(slices.Sorted(maps.Keys(commands)), ", "), strings.Join(topics, ", "))
		return exitUsage
	}
}

// printMarkerHelp prints what a marker generates, its options and an example.
func printMarkerHelp(w io.Writer, m generator.Marker) {
	out := &tablePrinter{out: w}
	out.printTable("", markerRows(m))
	out.printLine("\nExample:\n  %s", strings.ReplaceAll(m.Example, "\n", "\n  "))
	out.printLine("\nMore: docs/markers.md, %s", m.Section)
}

// printHelp prints flags and markers from their definitions.
func printHelp(w io.Writer, flags *flag.FlagSet) {
	fmt.Fprintf(w, "%s\nFlags:\n", synopsis)
	out := flags.Output()
	flags.SetOutput(w)
	flags.PrintDefaults()
	flags.SetOutput(out)
	fmt.Fprintln(w, "\nMarkers:")
	table := &tablePrinter{out: w}
	table.printTable("  ", allMarkerRows())
	fmt.Fprint(w, aliasesHelp)
	fmt.Fprint(w, closingHelp)
}

// allMarkerRows returns the rows of a table of the markers and their options.
func allMarkerRows() (rows [][]string) {
	for _, m := range generator.Markers() {
		rows = append(rows, markerRows(m)...)
	}
	return rows
}

// markerRows returns the rows of one marker and its options.
func markerRows(m generator.Marker) [][]string {
	rows := wrappedRows(m.Name, m.Help+" (on "+m.On+")")
	for _, o := range m.Options {
		rows = append(rows, wrappedRows("  "+o.Name+"="+o.Value, o.Help)...)
	}
	return rows
}

// wrappedRows returns a row with name, and further rows for the lines that text needs.
func wrappedRows(name, text string) (rows [][]string) {
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

// commandLineError describes a mistake in the command line, or returns "".
func commandLineError(cfg generator.Config, args []string) string {
	if cfg.Package != "" && cfg.Output == "" {
		return "-package needs -o"
	}
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") {
			return arg + ": flags come before packages"
		}
	}
	return ""
}
