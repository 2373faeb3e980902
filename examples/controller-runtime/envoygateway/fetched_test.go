// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package envoygateway

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// release is the version of Envoy Gateway.
const release = "github.com/envoyproxy/gateway@v1.9.1"

// fetch downloads Envoy Gateway and returns the path of its source.
func fetch(t *testing.T) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", release)
	cmd.Dir = t.TempDir() // outside any module, so that nothing requires it
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	var module struct{ Dir, Error string }
	if bad := json.Unmarshal(out, &module); err != nil || bad != nil || module.Dir == "" {
		t.Fatalf("fetching %s: %v, %s", release, err, out)
	}
	return module.Dir
}

func parse(t *testing.T, path ...string) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(path...), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// refersTo reports whether a declaration uses names of a package, but for those in but.
func refersTo(decl ast.Node, pkg string, but ...string) (found bool) {
	ast.Inspect(decl, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			x, ok := sel.X.(*ast.Ident)
			found = found || ok && x.Name == pkg && !slices.Contains(but, sel.Sel.Name)
		}
		return true
	})
	return found
}

// indexFunctions returns a test file of this package with the index functions of types that are not Envoy
// Gateway's own. Its init function adds them to theirs. What they use of Envoy Gateway is in the file, too.
func indexFunctions(t *testing.T, source string) []byte {
	t.Helper()
	var body, table bytes.Buffer
	print := func(n any) {
		if err := format.Node(&body, token.NewFileSet(), n); err != nil {
			t.Fatal(err)
		}
		body.WriteString("\n\n")
	}
	file := parse(t, source, "internal/provider/kubernetes/indexers.go")
	for _, decl := range file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || !strings.HasSuffix(f.Name.Name, "Func") || refersTo(f, "egv1a1", "KindBackend", "KindHTTPRouteFilter") {
			continue
		}
		if len(f.Type.Params.List) == 1 {
			table.WriteString("theirs[" + strconv.Quote(f.Name.Name) + "] = " + f.Name.Name + "\n")
		}
		f.Doc = nil
		print(f)
	}
	for _, decl := range parse(t, source, "internal/gatewayapi/helpers.go").Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name == "NamespaceDerefOr" {
			f.Doc = nil
			print(f)
		}
	}
	for _, decl := range parse(t, source, "internal/gatewayapi/resource/supported_kind.go").Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.CONST {
			for _, spec := range d.Specs {
				v := spec.(*ast.ValueSpec)
				v.Doc, v.Comment = nil, nil
				body.WriteString("const ")
				print(v)
			}
		}
	}
	out := `package envoygateway

import (
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"
	gwapiv1b1 "sigs.k8s.io/gateway-api/apis/v1beta1"
)

func init() {
	` + table.String() + `}

` + body.String()
	return []byte(strings.NewReplacer("gatewayapi.", "", "resource.", "", "egv1a1.", "",
		"mcsapiv1a1.LabelServiceName", `"multicluster.kubernetes.io/service-name"`).Replace(out))
}
