// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const gremlins = "github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0"

// A mutant is one change of one operator.
type mutant struct {
	file   string // in the package's directory
	kind   string // such as CONDITIONALS_BOUNDARY
	source string // the line that was changed, trimmed
	column int    // of the operator, from 1, without the indentation
	killed bool
}

// mutate runs gremlins over the package in dir, below root.
func mutate(root, dir string) ([]mutant, error) {
	module, rel, ok := strings.Cut(dir, "/")
	if !ok || module != "runtime" {
		module, rel = ".", dir
	}
	result, err := os.CreateTemp("", "mutants-*.json")
	if err != nil {
		return nil, err
	}
	result.Close()
	defer os.Remove(result.Name())
	cmd := exec.Command("go", "run", gremlins, "unleash", "--workers", "1", "--silent",
		"--output", result.Name(), "./"+rel)
	cmd.Dir = filepath.Join(root, module)
	modfile, err := workspaceVersions(cmd.Dir)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(filepath.Dir(modfile))
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-modfile="+modfile)
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("gremlins: %w\n%s", err, out)
	}
	text, err := os.ReadFile(result.Name())
	if err != nil {
		return nil, err
	}
	return parseResult(text, filepath.Join(root, dir))
}

// workspaceVersions writes a copy of the go.mod in dir that requires the apimachinery of
// the workspace, and returns its name. gremlins runs tests in a copy of the module, outside
// the workspace, and tests that need a newer apimachinery would be skipped there.
func workspaceVersions(dir string) (string, error) {
	temp, err := os.MkdirTemp("", "mutants-*")
	if err != nil {
		return "", err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(temp, name), text, 0o644); err != nil {
			return "", err
		}
	}
	modfile := filepath.Join(temp, "go.mod")
	const apimachinery = "k8s.io/apimachinery"
	list := exec.Command("go", "list", "-m", "-f", "{{.Version}}", apimachinery)
	list.Dir = dir
	version, err := list.Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w", err)
	}
	for _, args := range [][]string{
		{"get", "-modfile=" + modfile, apimachinery + "@" + strings.TrimSpace(string(version))},
		{"mod", "tidy", "-modfile=" + modfile},
	} {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("go %s: %w\n%s", args[0], err, out)
		}
	}
	return modfile, nil
}

// parseResult reads gremlins' report on the package in dir.
func parseResult(text []byte, dir string) ([]mutant, error) {
	var result struct {
		Files []struct {
			Name      string `json:"file_name"`
			Mutations []struct {
				Type, Status string
				Line, Column int
			}
		}
	}
	if err := json.Unmarshal(text, &result); err != nil {
		return nil, fmt.Errorf("gremlins' report: %w", err)
	}
	var all []mutant
	for _, f := range result.Files {
		source, err := os.ReadFile(filepath.Join(dir, f.Name))
		if err != nil {
			return nil, err
		}
		noCoverage, err := linesWithoutCoverage(source)
		if err != nil {
			return nil, err
		}
		lines := strings.Split(string(source), "\n")
		for _, m := range f.Mutations {
			if m.Line < 1 || m.Line > len(lines) {
				return nil, fmt.Errorf("gremlins' report: %s has no line %d", f.Name, m.Line)
			}
			line := lines[m.Line-1]
			trimmed := strings.TrimSpace(line)
			if m.Status == "NOT COVERED" && noCoverage[m.Line] {
				continue
			}
			all = append(all, mutant{
				file:   f.Name,
				kind:   m.Type,
				source: trimmed,
				column: m.Column - strings.Index(line, trimmed),
				killed: m.Status == "KILLED" || m.Status == "TIMED OUT",
			})
		}
	}
	return all, nil
}

// linesWithoutCoverage returns the lines that coverage profiles never have: the conditions of a switch,
// and declarations of constants and variables of the package.
func linesWithoutCoverage(source []byte) (map[int]bool, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, 0)
	if err != nil {
		return nil, err
	}
	lines := make(map[int]bool)
	add := func(from, to ast.Node) {
		for line := files.Position(from.Pos()).Line; line <= files.Position(to.End()).Line; line++ {
			lines[line] = true
		}
	}
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.GenDecl); ok {
			add(d, d)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if c, ok := n.(*ast.CaseClause); ok && len(c.List) > 0 {
			add(c.List[0], c.List[len(c.List)-1])
		}
		return true
	})
	return lines, nil
}
