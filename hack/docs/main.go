// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// tables make the tables of docs/, by the name in their comment lines.
var tables = map[string]func(repository string) (string, error){
	"markers": markers,
	"options": options,
	"flags":   flags,
}

func main() {
	repository, err := root()
	if err == nil {
		err = update(repository)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "docs:", err)
		os.Exit(1)
	}
}

// root returns the directory of the repository, which has the file go.work.
func root() (string, error) {
	out, err := exec.Command("go", "env", "GOWORK").Output()
	return filepath.Dir(strings.TrimSpace(string(out))), err
}

// update writes the tables of all pages that have any.
func update(repository string) error {
	pages, err := filepath.Glob(filepath.Join(repository, "docs", "*.md"))
	if err != nil {
		return err
	}
	written := map[string]bool{}
	for _, page := range pages {
		old, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		text := string(old)
		for name, table := range tables {
			before, rest, begins := strings.Cut(text, "<!-- begin "+name+" -->\n")
			_, after, ends := strings.Cut(rest, "<!-- end "+name+" -->\n")
			if !begins {
				continue
			}
			if !ends {
				return fmt.Errorf("%s: table %s does not end", page, name)
			}
			rows, err := table(repository)
			if err != nil {
				return fmt.Errorf("%s: table %s: %w", page, name, err)
			}
			text = before + "<!-- begin " + name + " -->\n" + rows + "<!-- end " + name + " -->\n" + after
			written[name] = true
		}
		if text == string(old) {
			continue
		}
		if err := os.WriteFile(page, []byte(text), 0o666); err != nil {
			return err
		}
	}
	for name := range tables {
		if !written[name] {
			return fmt.Errorf("no page of docs/ has the table %s", name)
		}
	}
	return nil
}
