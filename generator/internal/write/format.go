// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package write

import (
	"errors"
	"fmt"
	"go/scanner"
	"strings"

	"golang.org/x/tools/imports"
)

// Format formats source like gofmt and groups imports. A syntax error is a bug in the
// generator or in a header; the error then shows the lines around it.
func Format(name string, source []byte) ([]byte, error) {
	out, err := imports.Process(name, source, &imports.Options{
		Comments: true, TabIndent: true, TabWidth: 8, FormatOnly: true,
	})
	if err != nil {
		return nil, fmt.Errorf("the source for %s does not parse: %w\n%s", name, err, linesAround(source, err))
	}
	return out, nil
}

// linesAround returns the numbered lines around the first syntax error.
func linesAround(source []byte, err error) string {
	at := 1
	var list scanner.ErrorList
	if errors.As(err, &list) && len(list) > 0 {
		at = list[0].Pos.Line
	}
	var b strings.Builder
	for i, line := range strings.Split(string(source), "\n") {
		if n := i + 1; n >= at-5 && n <= at+5 {
			fmt.Fprintf(&b, "%5d\t%s\n", n, line)
		}
	}
	return b.String()
}
