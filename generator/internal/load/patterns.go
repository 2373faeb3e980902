// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"bytes"
	"errors"
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
)

// handWrittenPackages returns the packages found with hand-written files, and reports the others.
func handWrittenPackages(report *diag.Reporter, patterns []string, found []*loader.Package) (requested []*loader.Package, err error) {
	dir := report.Dir
	for _, pkg := range found {
		if len(slices.DeleteFunc(slices.Clone(pkg.GoFiles), IsEmitted)) > 0 && pkg.Name != "" {
			for _, e := range pkg.Errors {
				if e.Kind == packages.ListError && strings.HasPrefix(e.Msg, "found packages ") {
					report.Add(diag.Position(e.Pos), e.Msg+"; keep one package in a directory")
				}
			}
			requested = append(requested, pkg)
			continue
		}
		if why, certain := noBuiltFileError(pkg); why != "" &&
			(certain || NamedBy(dir, patterns, pkg.PkgPath, pkg.Dir)) {
			report.Add(token.Position{}, why)
		}
		for _, e := range pkg.Errors {
			if IsEmitted(diag.Position(e.Pos).Filename) || strings.Contains(e.Msg, excludesAllMessage) {
				continue // the file is about to be replaced, or the error is already reported
			}
			report.Add(diag.Position(e.Pos), PatternError(dir, patterns, pkg.PkgPath, e.Msg))
		}
	}
	switch where := strings.Join(patterns, " "); {
	case len(requested) > 0 || len(report.List) > 0:
	case len(found) == 0:
		return nil, fmt.Errorf("no packages match %s", where)
	default:
		return nil, fmt.Errorf(
			"%s matches only tests, emitted files and files that are not built here; name the packages "+
				"of the API types",
			where)
	}
	return requested, nil
}

// excludesAllMessage begins the go command's error for a package without a buildable file.
const excludesAllMessage = "build constraints exclude all Go files"

// noBuiltFileError returns the reason why a package has no hand-written file to build except tests.
// named is true if a pattern must have named the package. The reason is "" if all files are
// generated, or if the go command already reports the error.
func noBuiltFileError(pkg *loader.Package) (why string, namedByPattern bool) {
	left := slices.ContainsFunc(pkg.IgnoredFiles, HandWritten)
	said := slices.ContainsFunc(
		pkg.Errors, func(e packages.Error) bool { return strings.Contains(e.Msg, excludesAllMessage) })
	const settings = "; set what they are built with: GOFLAGS=-tags=name, GOOS or CGO_ENABLED"
	switch {
	case left && said:
		return excludesAllMessage + " in " + pkg.Dir + settings, true
	case left && len(pkg.Errors) == 0:
		return excludesAllMessage + " but tests in " + pkg.Dir + settings, false
	case len(pkg.GoFiles) == 0 && len(pkg.Errors) == 0:
		return "no Go files but tests in " + pkg.Dir +
			"; name the packages of the API types, for example ./api/...", false
	}
	return "", false
}

// HandWritten reports whether an ignored file is non-test Go code without IgnoreTag.
func HandWritten(name string) bool {
	text, err := os.ReadFile(name)
	return err == nil && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") &&
		!bytes.Contains(text, []byte(IgnoreTag))
}

// NamedBy reports whether a pattern names exactly the package with that import path and
// directory. Patterns with ... never do.
func NamedBy(dir string, patterns []string, path, at string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if strings.Contains(pattern, "...") {
			return false
		}
		named := pattern
		if !filepath.IsAbs(named) {
			named = filepath.Join(dir, named)
		}
		return pattern == path || SameDir(at, named)
	})
}

// goCommandError extracts the go command's own message from err.
func goCommandError(patterns []string, err error) error {
	message := err.Error()
	if inner := errors.Unwrap(err); inner != nil {
		message = inner.Error() // without the loader's words
	}
	if _, stderr, ok := strings.Cut(message, "stderr: "); ok && stderr != "" {
		message = stderr
	}
	message = strings.TrimPrefix(OneLine(message), "go: ")
	return fmt.Errorf("load %s: %s", strings.Join(patterns, " "), message)
}

// PatternError adds a remedy to the go command's error for a pattern.
func PatternError(dir string, patterns []string, pattern, message string) string {
	if strings.HasPrefix(message, "no Go files in ") {
		return message + "; name packages that have some, for example ./api/..."
	}
	if info, err := os.Stat(filepath.Join(dir, pattern)); err == nil && info.IsDir() &&
		!strings.HasPrefix(pattern, ".") {
		return fmt.Sprintf("%s is not a package; write ./%s for the directory", pattern, pattern)
	}
	if strings.Contains(message, " is not in std") {
		return pattern + " is neither a command of indexer-gen nor a package; indexer-gen help lists the commands, and " +
			"names of directories begin with ./"
	}
	if strings.Contains(message, "does not contain") {
		for _, asked := range patterns {
			if nested := nestedModuleDir(dir, asked); nested != "" && strings.Contains(message, nested) {
				return fmt.Sprintf(
					"%s; %s is a module of its own: run indexer-gen there, or join them in a go.work",
					message, nested)
			}
		}
	}
	return message
}

// nestedModuleDir returns the directory with a go.mod between dir and the pattern's
// directory, or "".
func nestedModuleDir(dir, pattern string) string {
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

// SameDir reports whether two names denote one directory. It follows symbolic links.
func SameDir(a, b string) bool {
	if a == b {
		return true
	}
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}
