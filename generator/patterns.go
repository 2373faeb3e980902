// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"bytes"
	"context"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// expand resolves patterns to import paths, within the modules asked for.
func expand(ctx context.Context, dir string, patterns []string, tags string, report *reporter) ([]string, error) {
	for _, pattern := range patterns {
		if strings.HasSuffix(pattern, ".go") {
			return nil, fmt.Errorf("%s: name packages, not files", pattern)
		}
	}
	found, err := packages.Load(&packages.Config{
		Context: ctx, Dir: dir, Mode: packages.NeedName | packages.NeedFiles, BuildFlags: []string{tags},
	}, patterns...)
	if err != nil {
		return nil, goCommandError(patterns, err)
	}
	var paths []string
	for _, pkg := range found {
		if len(slices.DeleteFunc(slices.Clone(pkg.GoFiles), isEmitted)) > 0 && pkg.Name != "" {
			for _, e := range pkg.Errors {
				if e.Kind == packages.ListError && strings.HasPrefix(e.Msg, "found packages ") {
					report.add(position(e.Pos), e.Msg+"; keep one package in a directory")
				}
			}
			paths = append(paths, pkg.PkgPath)
			continue
		}
		for _, e := range pkg.Errors {
			if isEmitted(position(e.Pos).Filename) {
				continue // whatever is wrong with it, it is about to be replaced
			}
			if strings.Contains(e.Msg, "build constraints exclude all Go files") {
				if slices.ContainsFunc(pkg.IgnoredFiles, handWritten) {
					report.add(token.Position{}, e.Msg+"; say what they are built with, as in GOFLAGS=-tags=name, GOOS or CGO_ENABLED")
				}
				continue
			}
			report.add(position(e.Pos), patternError(dir, patterns, pkg.PkgPath, e.Msg))
		}
	}
	if len(paths) == 0 && len(report.list) == 0 {
		return nil, fmt.Errorf("no packages match %s", strings.Join(patterns, " "))
	}
	return paths, nil
}

// handWritten reports whether a file that is not built here is Go other than the generated
// code that our own build tag hides.
func handWritten(name string) bool {
	text, err := os.ReadFile(name)
	return err == nil && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !bytes.Contains(text, []byte(ignoreTag))
}

// goCommandError is what the go command said, without what surrounds it.
func goCommandError(patterns []string, err error) error {
	message := err.Error()
	if _, stderr, ok := strings.Cut(message, "stderr: "); ok {
		message = stderr
	}
	message = strings.TrimPrefix(oneLine(message), "go: ")
	return fmt.Errorf("load %s: %s", strings.Join(patterns, " "), message)
}

// patternError rewords what the go command says of a pattern that is no package.
func patternError(dir string, patterns []string, pattern, message string) string {
	if strings.HasPrefix(message, "no Go files in ") {
		return message + "; name the packages of the API types, for example ./api/..."
	}
	if info, err := os.Stat(filepath.Join(dir, pattern)); err == nil && info.IsDir() && !strings.HasPrefix(pattern, ".") {
		return fmt.Sprintf("%s is not a package; write ./%s for the directory", pattern, pattern)
	}
	if strings.Contains(message, "does not contain") {
		for _, asked := range patterns {
			if nested := nestedModule(dir, asked); nested != "" && strings.Contains(message, nested) {
				return fmt.Sprintf("%s; %s is a module of its own: run indexer-gen there, or join them in a go.work", message, nested)
			}
		}
	}
	return message
}

// nestedModule returns the directory below dir, on the way to where the pattern
// leads, that has a go.mod of its own, or "".
func nestedModule(dir, pattern string) string {
	if !strings.HasPrefix(pattern, "./") {
		return ""
	}
	for at := filepath.Clean(strings.TrimSuffix(pattern, "...")); at != "."; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(dir, at, "go.mod")); err == nil {
			return filepath.ToSlash(at)
		}
	}
	return ""
}
