// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator"
)

// table returns a Markdown table. The first row is the heading.
func table(rows [][]string) string {
	var b strings.Builder
	for i, row := range rows {
		for _, cell := range row {
			b.WriteString("| " + strings.ReplaceAll(cell, "|", `\|`) + " ")
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(row)) + "|\n")
		}
	}
	return b.String()
}

// markers is made from the definitions that the parser uses. It has the options that a marker
// needs; the others are in the table options.
func markers(string) (string, error) {
	rows := [][]string{{"Marker", "On", "Generates"}}
	for _, m := range generator.Markers() {
		text, separator := m.Name, ":"
		for _, o := range m.Options {
			if !o.Optional {
				text += separator + o.Name + "=" + o.Value
				separator = ","
			}
		}
		rows = append(rows, []string{"`" + text + "`", m.On, quoteCode(m.Help)})
	}
	return table(rows), nil
}

// options is made from the definitions that the parser uses.
func options(string) (string, error) {
	rows := [][]string{{"Option", "Of", "Meaning"}}
	row := map[string]int{} // by option and meaning
	for _, m := range generator.Markers() {
		for _, o := range m.Options {
			of := "`" + m.Name + "`"
			id := o.Name + " " + o.Help
			if i, ok := row[id]; ok {
				rows[i][1] += ", " + of
				continue
			}
			row[id] = len(rows)
			rows = append(rows, []string{"`" + o.Name + "=" + o.Value + "`", of, quoteCode(o.Help)})
		}
	}
	return table(rows), nil
}

// code matches method names, types of functions and markers in a help text.
var code = regexp.MustCompile(
	`func\(\*T\) (\[\])?V|\b(By|Min|Max)[A-Z]\w*(\([^)]*\))?|List\(selector\)|\+[a-z][a-z:]*`)

func quoteCode(help string) string { return code.ReplaceAllString(help, "`$0`") }

// flags is made from what indexer-gen -help prints.
func flags(string) (string, error) {
	help, err := exec.Command("go", "tool", "indexer-gen", "-help").Output()
	if err != nil {
		return "", fmt.Errorf("indexer-gen -help: %w", err)
	}
	_, text, _ := strings.Cut(string(help), "\nFlags:\n")
	text, _, _ = strings.Cut(text, "\n\n")
	rows := [][]string{{"Flag", "Meaning"}}
	flag := regexp.MustCompile(`(?m)^  (-.*)\n((?:    \t.*\n?)+)`)
	for _, m := range flag.FindAllStringSubmatch(text+"\n", -1) {
		rows = append(rows, []string{"`" + m[1] + "`", quoteCode(strings.Join(strings.Fields(m[2]), " "))})
	}
	if len(rows) == 1 {
		return "", errors.New("indexer-gen -help prints no flags")
	}
	return table(rows), nil
}
