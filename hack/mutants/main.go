// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// packages are relative to the repository's root.
var packages = []string{
	"generator/internal/fieldpath",
	"generator/internal/marker",
	"runtime/canonical",
	"runtime/lister",
	"runtime/delta",
	"runtime/queue",
	"runtime/reflector",
	"runtime/shard",
	"runtime/source",
	"runtime/store/internal/index",
	"runtime/mutation",
	"runtime/store/internal/query",
	"runtime/store/internal/parts",
	"runtime/store/internal/table",
	"runtime/store/internal/trie",
	"runtime/watch",
}

// percentKilled is the least share of killed mutants that a package may have.
const percentKilled = 90

func main() {
	if err := run(os.Stdout, "..", os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// run mutates the packages dirs, or all of them, below root.
func run(out io.Writer, root string, dirs []string) error {
	if len(dirs) == 0 {
		dirs = packages
	}
	text, err := os.ReadFile(filepath.Join(root, "hack", "mutants", "survivors.txt"))
	if err != nil {
		return err
	}
	known, err := parseSurvivors(string(text))
	if err != nil {
		return err
	}
	failed := 0
	for _, dir := range dirs {
		mutants, err := mutate(root, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
		if !report(out, dir, mutants, known[dir]) {
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d packages have mutants that no test notices and survivors.txt does not list,"+
			" or fewer than %d%% killed", failed, len(dirs), percentKilled)
	}
	return nil
}
