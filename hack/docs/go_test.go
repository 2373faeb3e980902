// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// scope declares the variables that Go blocks may use.
const scope = `ctx context.Context, t *testing.T, conn wire.Conn, registry client_golang.Registerer,
	informers *v1alpha1.Informers, widgets v1alpha1.WidgetLister,
	client *gentype.ClientWithList[*v1alpha1.Widget, *v1alpha1.WidgetList],
	widgetInformer cache.SharedIndexInformer`

// imports are the packages that Go blocks may use, by name.
var imports = map[string]string{
	"context": "context", "errors": "errors", "fmt": "fmt", "http": "net/http", "maps": "maps",
	"slices": "slices", "slog": "log/slog", "strings": "strings", "testing": "testing", "time": "time",

	"metav1":  "k8s.io/apimachinery/pkg/apis/meta/v1",
	"labels":  "k8s.io/apimachinery/pkg/labels",
	"schema":  "k8s.io/apimachinery/pkg/runtime/schema",
	"types":   "k8s.io/apimachinery/pkg/types",
	"corev1":  "k8s.io/api/core/v1",
	"cache":   "k8s.io/client-go/tools/cache",
	"gentype": "k8s.io/client-go/gentype",

	"client_golang": "github.com/prometheus/client_golang/prometheus",

	"v1alpha1":    "example.com/consumer/api/v1alpha1",
	"canonical":   runtimePath + "/canonical",
	"discovery":   runtimePath + "/discovery",
	"informer":    runtimePath + "/informer",
	"kubeconn":    kubeconnPath,
	"metrics":     runtimePath + "/metrics",
	"mutation":    runtimePath + "/mutation",
	"page":        runtimePath + "/page",
	"prometheus":  prometheusPath,
	"reflector":   runtimePath + "/reflector",
	"runtimetest": runtimePath + "/runtimetest",
	"slim":        runtimePath + "/slim",
	"source":      runtimePath + "/source",
	"store":       runtimePath + "/store",
	"watch":       runtimePath + "/watch",
	"wire":        wirePath,
}

// TestGoBlocks generates for the README's types and for all marked declarations, and
// compiles every Go block.
func TestGoBlocks(t *testing.T) {
	t.Parallel()
	repo, dir := repository(t), t.TempDir()
	api := apiBlock(t)
	write(t, filepath.Join(dir, "api", "v1alpha1", "types.go"), api.code)
	for _, page := range pages(t) {
		for i, b := range blocks(t, page, "go") {
			name := fmt.Sprint(strings.TrimSuffix(filepath.Base(page), ".md"), i)
			switch {
			case b == api:
			case b.from != "":
				if !strings.Contains(read(t, filepath.Join(repo, b.from)), b.code) {
					t.Errorf("%s:%d: %s does not contain this code", b.page, b.line, b.from)
				}
			case isDeclaration(b.code):
				write(t, filepath.Join(dir, name, "types.go"), api.code)
				write(t, filepath.Join(dir, name, "block.go"), complete(t, "v1alpha1", b, b.code))
			default:
				write(t, filepath.Join(dir, "blocks", name+".go"), complete(t, "blocks", b, function(t, b)))
			}
		}
	}
	write(t, filepath.Join(dir, "go.mod"), consumerModule(t))
	write(t, filepath.Join(dir, "go.sum"), read(t, filepath.Join(repo, "hack", "go.sum")))

	// client-gen's clients take types with DeepCopyObject.
	// Paths are trimmed, so that the build cache does not depend on dir.
	env := []string{"GOFLAGS=-mod=mod -buildvcs=false -trimpath"}
	const deepcopy = "sigs.k8s.io/controller-tools/cmd/controller-gen"
	command(t, dir, env, "go", "run", deepcopy, "object", "paths=./api/...")
	command(t, dir, env, "go", "run", generatorPath+"/cmd/indexer-gen", "./...")
	command(t, dir, env, "go", "build", "./...")
}

// apiBlock returns the block with the types that the other blocks use.
func apiBlock(t *testing.T) block {
	t.Helper()
	for _, b := range blocks(t, "README.md", "go") {
		if strings.Contains(b.code, "\npackage v1alpha1\n") {
			return b
		}
	}
	t.Fatal("README.md has no block with package v1alpha1")
	return block{}
}

func isDeclaration(code string) bool {
	_, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+code, 0)
	return err == nil
}

// function returns a function whose body is the block. Variables of the block count as used.
func function(t *testing.T, b block) string {
	t.Helper()
	head := "func _(" + scope + ") error {\n{\n"
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+head+b.code+"}\nreturn nil\n}", 0)
	if err != nil {
		t.Fatalf("%s:%d: %v", b.page, b.line, err)
	}
	used := ""
	body := file.Decls[0].(*ast.FuncDecl).Body.List[0].(*ast.BlockStmt)
	for _, statement := range body.List {
		if assign, ok := statement.(*ast.AssignStmt); ok && assign.Tok == token.DEFINE {
			for _, name := range assign.Lhs {
				used += "_ = " + name.(*ast.Ident).Name + "\n"
			}
		}
	}
	position := fmt.Sprintf("//line %s:%d\n", filepath.Join(repository(t), b.page), b.line)
	return head + position + b.code + used + "}\nreturn nil\n}\n"
}

// complete returns a file of the package with code and the imports that it needs.
func complete(t *testing.T, name string, b block, code string) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+code, 0)
	if err != nil {
		t.Fatalf("%s:%d: %v", b.page, b.line, err)
	}
	needed := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		if selector, ok := n.(*ast.SelectorExpr); ok {
			// Obj is nil unless a declaration of the block has the name.
			if x, ok := selector.X.(*ast.Ident); ok && x.Obj == nil && imports[x.Name] != "" {
				needed[x.Name] = imports[x.Name]
			}
		}
		return true
	})
	text := "package " + name + "\n"
	for _, name := range slices.Sorted(maps.Keys(needed)) {
		text += fmt.Sprintf("import %s %q\n", name, needed[name])
	}
	return text + code
}

// consumerModule returns the go.mod of a project with the versions of module hack.
func consumerModule(t *testing.T) string {
	t.Helper()
	repo := repository(t)
	mod := read(t, filepath.Join(repo, "hack", "go.mod"))
	mod = strings.Replace(mod, "module "+generatorPath+"/hack", "module example.com/consumer", 1)
	return strings.ReplaceAll(mod, "=> ../", "=> "+repo+"/")
}
