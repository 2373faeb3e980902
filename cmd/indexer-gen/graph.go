// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"io"
	"regexp"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator"
)

// explainGraph prints the graph of types and references: a row for each reference to a known kind. A second
// table says what absent fields mean.
func explainGraph(out *tablePrinter, types []generator.RootType) {
	rows := [][]string{{"REFERENCES OF", "INDEX", "PATH", "TO", "SCOPE"}}
	absent := [][]string{{"REFERENCES OF", "INDEX", "IF ABSENT", "MEANS", "BECAUSE OF"}}
	for _, t := range types {
		for _, ref := range t.References {
			rows = append(rows, []string{kindAndGroupText(t), ref.Index, ref.Path, ref.To, ref.Scope})
			for _, a := range ref.Absent {
				absent = append(absent, []string{kindAndGroupText(t), ref.Index, a.Field, a.Means, cmp.Or(a.From, "-")})
			}
		}
	}
	for _, rows := range [][][]string{rows, absent} {
		if len(rows) > 1 {
			out.printLine("")
			out.printTable("", rows)
		}
	}
}

// explainMermaid prints the graph as a mermaid diagram, with an edge for each index.
func explainMermaid(w io.Writer, types []generator.RootType) error {
	out := &tablePrinter{out: w}
	out.printLine("flowchart LR")
	for _, t := range types {
		indexes := map[string]bool{}
		for _, ref := range t.References {
			if !indexes[ref.Index] {
				indexes[ref.Index] = true
				out.printLine("  %s -->|By%s| %s", mermaidNode(kindAndGroupText(t)), ref.Index, mermaidNode(ref.To))
			}
		}
	}
	return out.err
}

// kindAndGroupText returns the kind and group of a type, as to= writes them.
func kindAndGroupText(t generator.RootType) string {
	return strings.TrimSuffix(t.Kind+"."+t.Group, ".")
}

var nonNodePattern = regexp.MustCompile("[^A-Za-z0-9]")

// mermaidNode returns a node of a mermaid diagram: a name without special characters, and its label.
func mermaidNode(kind string) string {
	if kind == "*" {
		return `any["any kind"]`
	}
	return nonNodePattern.ReplaceAllString(kind, "_") + `["` + kind + `"]`
}
