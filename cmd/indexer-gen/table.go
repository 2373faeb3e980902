// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/indexer-gen/indexer-gen/generator"
)

// explainText prints a table of the types, and tables of their indexes and methods, in
// columns aligned with spaces.
func explainText(w io.Writer, types []generator.RootType) error {
	out := &tablePrinter{out: w}
	rows := [][]string{{"KIND", "GROUP", "VERSION", "RESOURCE", "SCOPE", "INDEXES", "PACKAGE"}}
	for _, t := range types {
		rows = append(rows,
			[]string{t.Kind, cmp.Or(t.Group, "-"), cmp.Or(t.Version, "-"), t.Resource, t.Scope, indexCountOrReasonText(t), t.Package})
	}
	out.printTable("", rows)
	for _, t := range types {
		if len(t.Indexes) == 0 {
			continue
		}
		out.printLine("\n%s (%s)", t.Kind, apiVersionText(t))
		rows := [][]string{{"INDEX", "OF", "GO TYPE", "OPTIONS"}}
		methods := [][]string{{"METHODS OF " + t.Lister}}
		for _, ix := range t.Indexes {
			values := ix.Values
			if len(values) == 0 { // of a state
				values = []generator.ValueInfo{{Path: ix.If, Type: "-"}}
			}
			for i, v := range values {
				row := []string{"", v.Path, valueTypeAndKeyFieldText(v, ix), ""}
				if i == 0 {
					row[0], row[3] = ix.Name, strings.Join(optionTexts(ix), ", ")
				}
				rows = append(rows, row)
			}
			for _, path := range ix.Also {
				rows = append(rows, []string{"", "or " + path, "", ""})
			}
			if namespace := referenceNamespaceText(t, ix); namespace != "" {
				rows = append(rows, []string{"", namespace, "", ""})
			}
			for _, m := range ix.Methods {
				methods = append(methods, []string{m.Signature})
			}
		}
		out.printTable("  ", rows)
		out.printTable("  ", methods)
	}
	explainGraph(out, types)
	return out.err
}

// tablePrinter keeps the first error.
type tablePrinter struct {
	out io.Writer
	err error
}

func (p *tablePrinter) printLine(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.out, format+"\n", args...)
	}
}

// printTable prints rows in aligned columns.
func (p *tablePrinter) printTable(indent string, rows [][]string) {
	var text strings.Builder
	columns := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(columns, strings.Join(row, "\t"))
	}
	columns.Flush()
	for line := range strings.Lines(text.String()) {
		p.printLine("%s", indent+strings.TrimRight(line, " \n"))
	}
}

// indexCountOrReasonText returns the number of indexes, or the reason that the type is not emitted.
func indexCountOrReasonText(t generator.RootType) string {
	if !t.Emitted {
		return "not emitted: " + t.Reason
	}
	return fmt.Sprint(len(t.Indexes))
}

// valueTypeAndKeyFieldText returns the type of a value, and its field of the key if there is one.
func valueTypeAndKeyFieldText(v generator.ValueInfo, ix generator.IndexInfo) string {
	if v.Field == "" {
		return v.Type
	}
	if v.FieldType != v.Type {
		return v.Type + ", " + v.FieldType + " in " + ix.Key + "." + v.Field
	}
	return v.Type + " in " + ix.Key + "." + v.Field
}

// referenceNamespaceText describes the namespace of a reference, or returns "" for other indexes.
func referenceNamespaceText(t generator.RootType, ix generator.IndexInfo) string {
	if ix.Kind != "reference" || ix.ToCluster {
		return ""
	}
	own := "the object's own"
	switch {
	case t.Scope == "Cluster":
		own = "none"
	case ix.ToAnyScope:
		own += " and none"
	}
	switch {
	case ix.NamespaceInName:
		return "namespace: " + own + ", or in the name"
	case ix.NamespacePath == "":
		return "namespace: " + own
	}
	return "namespace: " + ix.NamespacePath + ", else " + cmp.Or(ix.DefaultNamespace, own)
}

// optionTexts lists the kind and the options of an index.
func optionTexts(ix generator.IndexInfo) []string {
	var out []string
	if ix.Kind != "paths" {
		out = append(out, ix.Kind)
	}
	if ix.Unique {
		out = append(out, "unique")
	}
	if ix.Ordered {
		out = append(out, "ordered")
	}
	if ix.If != "" && len(ix.Values) > 0 {
		out = append(out, "if "+ix.If)
	}
	if ix.Else != "" {
		out = append(out, "else "+ix.Else)
	}
	for _, text := range [][2]string{{"indexName", ix.IndexName}, {"format", ix.Format}, {"value", ix.Value}} {
		if text[1] != "" {
			out = append(out, fmt.Sprintf("%s %q", text[0], text[1]))
		}
	}
	if ix.Note != "" {
		out = append(out, "note: "+ix.Note)
	}
	return out
}

func apiVersionText(t generator.RootType) string {
	return strings.TrimPrefix(t.Group+"/"+t.Version, "/")
}
