// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
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
