// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"fmt"
	"io"
	"strings"
)

// packageComment is the source of the package comment.
//
//go:embed doc.go
var packageComment string

// printManual prints the package comment as text.
func printManual(w io.Writer) {
	_, text, _ := strings.Cut(packageComment, "\n\n") // the license
	text, _, _ = strings.Cut(text, "\npackage main")
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimPrefix(strings.TrimPrefix(line, "//"), " ")
		fmt.Fprintln(w, strings.Replace(line, "\t", "    ", 1))
	}
}
