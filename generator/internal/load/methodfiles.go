// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"iter"
	"os"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// skipFiles takes from the files of a package those that need not be parsed: our
// own, and generated ones that declare methods only. The latter are most of the
// source of a package with protobuf: of k8s.io/api/core/v1, 1.7 MB of 3.
func skipFiles(pkg *loader.Package) {
	pkg.CompiledGoFiles = slices.DeleteFunc(pkg.CompiledGoFiles, IsEmitted)
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

// onlyMethods reports whether text is generated code without anything that matters to
// the generator: types, constants, variables that say group and version, markers, and
// methods that may change how a type is read. It looks at the beginnings of lines, since
// its purpose is to save the time of parsing; in doubt it says no.
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
	for name := range methodNames(text) {
		if !Harmless[name] && !strings.HasPrefix(name, "XXX_") {
			return false // it may hide what a type embeds, or decode the type
		}
	}
	// What is wrong with its clauses is for the loader to report.
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly|parser.ParseComments)
	return err == nil && ast.IsGenerated(file)
}

// Harmless are the methods that the generators of Kubernetes write, for copies, protobuf
// and documentation: they hide no method of metav1.Object and decode no JSON. They may
// hide a field of the same name, which is why [promotes] is false of such fields.
var Harmless = map[string]bool{
	"DeepCopy": true, "DeepCopyInto": true, "DeepCopyObject": true,
	"Descriptor": true, "Marshal": true, "MarshalTo": true, "MarshalToSizedBuffer": true, "ProtoMessage": true,
	"ProtoReflect": true, "Reset": true, "Size": true, "String": true, "Unmarshal": true,
	"OpenAPIModelName": true, "SwaggerDoc": true,
	"APILifecycleDeprecated": true, "APILifecycleIntroduced": true, "APILifecycleRemoved": true, "APILifecycleReplacement": true,
}

// methodNames yields the names of the methods that text declares at the beginnings of
// lines; of what it cannot read, "".
func methodNames(text []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for rest := text; ; {
			_, after, found := bytes.Cut(rest, []byte("\nfunc ("))
			if !found {
				return
			}
			name := ""
			if end := bytes.IndexByte(after, ')'); end >= 0 {
				name = string(bytes.TrimLeft(after[end+1:min(len(after), end+200)], " "))
				name = name[:marker.Identifier(name)]
			}
			if !yield(name) {
				return
			}
			rest = after
		}
	}
}
