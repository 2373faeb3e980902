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

// skipMethodFiles removes generated files that declare only methods from a package, so that
// they are not parsed. With protobuf, they are most of the source: 1.7 of 3 MB in
// k8s.io/api/core/v1.
func skipMethodFiles(pkg *loader.Package) {
	rest := slices.DeleteFunc(slices.Clone(pkg.CompiledGoFiles), func(name string) bool {
		text, err := os.ReadFile(name)
		return err == nil && hasOnlyHarmlessMethods(text)
	})
	if len(rest) > 0 { // a package has at least one file
		pkg.CompiledGoFiles = rest
	}
}

// generatedPrefix begins the line that marks generated code.
var generatedPrefix = []byte("// Code generated ")

// hasOnlyHarmlessMethods reports whether text is generated code that the generator does not need. It
// returns false for types, constants, variables with group and version, markers, and methods
// that affect decoding. To avoid parsing, it only examines how lines begin; if unsure, it
// returns false.
func hasOnlyHarmlessMethods(text []byte) bool {
	start := bytes.Index(text, generatedPrefix)
	if start < 0 || start > 0 && text[start-1] != '\n' {
		return false
	}
	text = bytes.ReplaceAll(text, []byte("\nconst _ "), nil) // protobuf checks versions
	for _, declared := range []string{"\ntype ", "\ntype(", "\nconst ", "\nconst(", "\nvar G", "\nvar S",
		".GroupVersion{", "+groupName", "+versionName", "+index"} {
		if bytes.Contains(text, []byte(declared)) {
			return false
		}
	}
	for name := range methodNames(text) {
		if !Harmless[name] && !strings.HasPrefix(name, "XXX_") {
			return false // it may shadow an embedded method, or decode the type
		}
	}
	// The loader reports errors in the package and import clauses.
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly|parser.ParseComments)
	return err == nil && ast.IsGenerated(file)
}

// Harmless lists methods of Kubernetes' generators: for copies, protobuf and documentation.
// They shadow no method of metav1.Object and decode no JSON. They may shadow a field of the
// same name.
var Harmless = map[string]bool{
	"DeepCopy": true, "DeepCopyInto": true, "DeepCopyObject": true,
	"Descriptor": true, "Marshal": true, "MarshalTo": true, "MarshalToSizedBuffer": true,
	"ProtoMessage": true,
	"ProtoReflect": true, "Reset": true, "Size": true, "String": true, "Unmarshal": true,
	"OpenAPIModelName": true, "SwaggerDoc": true,
	"APILifecycleDeprecated": true, "APILifecycleIntroduced": true, "APILifecycleRemoved": true,
	"APILifecycleReplacement": true,
}

// methodNames yields the names of the methods declared in text, or "" for a method whose
// name it cannot find.
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
