// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A survivor identifies a mutant without its line number, which changes with every edit
// above it.
type survivor struct {
	file, kind, source string
	column             int
}

// parseSurvivors reads lines of package, file, kind, column, source and reason,
// separated by " | ". It returns the survivors of each package.
func parseSurvivors(text string) (map[string]map[survivor]bool, error) {
	known := make(map[string]map[survivor]bool)
	for n, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.SplitN(line, " | ", 5)
		end := strings.LastIndex(line, " | ") // the source may contain the separator
		if len(parts) != 5 || end < len(line)-len(parts[4]) || end+3 == len(line) {
			return nil, fmt.Errorf("survivors.txt:%d: want package | file | kind | column | source | reason", n+1)
		}
		column, err := strconv.Atoi(parts[3])
		if err != nil {
			return nil, fmt.Errorf("survivors.txt:%d: column: %w", n+1, err)
		}
		if known[parts[0]] == nil {
			known[parts[0]] = make(map[survivor]bool)
		}
		source := line[len(line)-len(parts[4]) : end]
		known[parts[0]][survivor{parts[1], parts[2], source, column}] = true
	}
	return known, nil
}

func (s survivor) line(dir string) string {
	return fmt.Sprintf("%s | %s | %s | %d | %s", dir, s.file, s.kind, s.column, s.source)
}

// report prints what became of the mutants of the package dir. It returns false if a
// survivor is not known, or if too few mutants were killed.
func report(out io.Writer, dir string, mutants []mutant, known map[survivor]bool) bool {
	killed, good := 0, true
	lived := make(map[survivor]bool)
	for _, m := range mutants {
		if m.killed {
			killed++
			continue
		}
		s := survivor{m.file, m.kind, m.source, m.column}
		if !lived[s] && !known[s] {
			fmt.Fprintf(out, "not listed: %s | \n", s.line(dir))
			good = false
		}
		lived[s] = true
	}
	for s := range known {
		if !lived[s] {
			fmt.Fprintf(out, "no longer survives: %s\n", s.line(dir))
		}
	}
	fmt.Fprintf(out, "%-20s %4d of %4d mutants killed\n", dir, killed, len(mutants))
	return good && killed*100 >= len(mutants)*percentKilled
}
