// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator"
)

// mistypedCommand suggests a command for a first argument that is no package, or returns "".
func mistypedCommand(arg string) string {
	if strings.ContainsAny(arg, "./\\") {
		return ""
	}
	if _, err := os.Stat(arg); err == nil {
		return "" // the error for directories explains itself
	}
	meant := generator.Nearest(arg, []string{"explain", "migrate", "vet", "help"})
	if meant == "" {
		return ""
	}
	return fmt.Sprintf("there is no command %s; did you mean indexer-gen %s?", arg, meant)
}

// mistypedFlag prints a similar flag if err is about an unknown one.
func mistypedFlag(w io.Writer, flags *flag.FlagSet, err error) {
	_, name, found := strings.Cut(err.Error(), "not defined: -")
	if !found {
		return
	}
	var known []string
	flags.VisitAll(func(f *flag.Flag) { known = append(known, f.Name) })
	if meant := generator.Nearest(name, known); meant != "" {
		fmt.Fprintf(w, "indexer-gen: did you mean -%s?\n", meant)
	}
}
