// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"
)

// leaveOut takes from the files of a package those that need not be parsed: our
// own, and generated ones that declare methods only. The latter are most of the
// source of a package with protobuf: of k8s.io/api/core/v1, 1.7 MB of 3.
func leaveOut(pkg *loader.Package) {
	pkg.CompiledGoFiles = slices.DeleteFunc(pkg.CompiledGoFiles, isEmitted)
	rest := slices.DeleteFunc(slices.Clone(pkg.CompiledGoFiles), func(name string) bool {
		text, err := os.ReadFile(name)
		return err == nil && onlyMethods(text)
	})
	if len(rest) > 0 { // a package has at least one file
		pkg.CompiledGoFiles = rest
	}
}

// generatedStart begins the line by which Go knows generated code.
var generatedStart = []byte("// Code generated ")

// onlyMethods reports whether text is generated code without anything that the
// generator reads: types, constants, variables that say group and version, and
// markers. It looks at the beginnings of lines, for parsing is what it saves; in
// doubt it says no.
func onlyMethods(text []byte) bool {
	start := bytes.Index(text, generatedStart)
	if start < 0 || start > 0 && text[start-1] != '\n' {
		return false
	}
	for _, declared := range []string{"\ntype ", "\ntype(", "\nconst ", "\nconst(", "\nvar G", "\nvar S", "GroupVersion{", "+groupName", "+versionName", "+index"} {
		if bytes.Contains(text, []byte(declared)) {
			return false
		}
	}
	// What is wrong with its clauses is for the loader to report.
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly|parser.ParseComments)
	return err == nil && ast.IsGenerated(file)
}
