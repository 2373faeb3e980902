// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package oracles

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	// What the test runs, so that a cached result is not used when it changes.
	_ "github.com/indexer-gen/indexer-gen/runtime/lister"
)

// project is a project with index functions.
type project struct {
	name string
	// functions is the module with the index functions, and types the one with the API types.
	functions, types string
	// path is the path of the module of types, and packages are the directories of its API packages.
	path     string
	packages []string
	// files have calls of IndexField, or functions that these name.
	files   []string
	imports []string
	replace []string
	// only is what is in each function that counts, or "".
	only string
	// named matches the names of functions, and the types and names that they are registered with; nil matches all.
	named *regexp.Regexp
	// requires are modules that the API packages need.
	requires []string
}

var projects = []project{
	{
		name:      "clusterapi",
		functions: "sigs.k8s.io/cluster-api@v1.14.2",
		types:     "sigs.k8s.io/cluster-api/api@v1.14.2",
		path:      "sigs.k8s.io/cluster-api/api",
		packages:  []string{"core/v1beta2", "runtime/v1beta2", "deprecated/errors"},
		files: []string{"util/index/cluster.go", "util/index/machine.go", "util/index/machinepool.go",
			"core/reconcilers/extensionconfig/index.go"},
		imports: []string{`"fmt"`, `clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"`,
			`runtimev1 "sigs.k8s.io/cluster-api/api/runtime/v1beta2"`},
	},
	{
		name:      "karpenter", // v1.15 needs Go 1.26.9
		functions: "sigs.k8s.io/karpenter@v1.14.0",
		types:     "sigs.k8s.io/karpenter@v1.14.0",
		path:      "sigs.k8s.io/karpenter",
		packages:  []string{"pkg/apis", "pkg/apis/crds", "pkg/apis/v1"},
		files:     []string{"pkg/operator/operator.go"},
		imports: []string{`corev1 "k8s.io/api/core/v1"`, `storagev1 "k8s.io/api/storage/v1"`,
			`v1 "sigs.k8s.io/karpenter/pkg/apis/v1"`},
		requires: []string{"github.com/awslabs/operatorpkg v0.0.0-20260708223819-4da4c353c5fa",
			"github.com/mitchellh/hashstructure/v2 v2.0.2", "github.com/robfig/cron/v3 v3.0.1",
			"github.com/samber/lo v1.53.0", "go.uber.org/multierr v1.11.0"},
	},
	{
		name:      "kueue",
		functions: "sigs.k8s.io/kueue@v0.14.0",
		types:     "sigs.k8s.io/kueue@v0.14.0",
		path:      "sigs.k8s.io/kueue",
		packages:  []string{"apis/kueue/v1beta1"},
		files: []string{"pkg/controller/core/indexer/indexer.go", "pkg/controller/tas/indexer/indexer.go",
			"pkg/controller/admissionchecks/multikueue/indexer.go",
			"pkg/controller/admissionchecks/provisioning/indexer.go", "pkg/controller/jobs/pod/indexer.go"},
		imports: []string{`"strings"`, `corev1 "k8s.io/api/core/v1"`, `apimeta "k8s.io/apimachinery/pkg/api/meta"`,
			`metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"`, `"k8s.io/apimachinery/pkg/runtime/schema"`,
			`"k8s.io/apimachinery/pkg/util/sets"`, `kueue "sigs.k8s.io/kueue/apis/kueue/v1beta1"`},
		replace: []string{"slices.Map(", "mapped(", "podconstants.GroupNameLabel", `"kueue.x-k8s.io/pod-group-name"`,
			"utiltas.IsNodeStatusConditionTrue", "isTrue"},
	},
	{
		name:      "cloudnativepg",
		functions: "github.com/cloudnative-pg/cloudnative-pg@v1.27.0",
		types:     "github.com/cloudnative-pg/cloudnative-pg@v1.27.0",
		files:     []string{"internal/controller/cluster_controller.go"},
		named:     regexp.MustCompile(`^apiv1.Cluster disableDefaultQueriesSpecPath$`),
		imports:   []string{`apiv1 "github.com/cloudnative-pg/cloudnative-pg/api/v1"`},
		requires:  []string{"github.com/cloudnative-pg/cloudnative-pg v1.27.0"},
	},
	{
		name:      "kubevirt",
		functions: "kubevirt.io/kubevirt@v1.8.0",
		types:     "kubevirt.io/api@v1.8.0",
		files:     []string{"pkg/controller/virtinformers.go"},
		named:     regexp.MustCompile(`^GetVirtualMachineInstanceMigrationInformerIndexers$`),
		imports:   []string{`"fmt"`, `"k8s.io/client-go/tools/cache"`, `kubev1 "kubevirt.io/api/core/v1"`},
		requires:  []string{"kubevirt.io/api v1.8.0"},
	},
	{
		name:      "envoygateway", // its own types; package envoygateway has the others
		functions: "github.com/envoyproxy/gateway@v1.9.1",
		types:     "github.com/envoyproxy/gateway@v1.9.1",
		path:      "github.com/envoyproxy/gateway",
		packages:  []string{"api/v1alpha1"},
		files:     []string{"internal/provider/kubernetes/indexers.go"},
		imports: []string{`"k8s.io/apimachinery/pkg/types"`, `"k8s.io/apimachinery/pkg/util/sets"`,
			`gwapiv1 "sigs.k8s.io/gateway-api/apis/v1"`, `egv1a1 "github.com/envoyproxy/gateway/api/v1alpha1"`},
		replace: []string{"gatewayapi.NamespaceDerefOr", "namespaceOr", "resource.KindClusterTrustBundle",
			`"ClusterTrustBundle"`, "resource.KindConfigMap", `"ConfigMap"`, "resource.KindSecret", `"Secret"`,
			"resource.KindServiceImport", `"ServiceImport"`, "resource.KindService", `"Service"`,
			"resource.KindHTTPRouteFilter", `"HTTPRouteFilter"`},
		only:     "egv1a1.",
		requires: []string{"github.com/evanphx/json-patch v5.9.11+incompatible"},
	},
}

// TestOracles runs the index functions of each project beside emitted ones on random objects.
func TestOracles(t *testing.T) {
	if testing.Short() {
		t.Skip("fetches projects")
	}
	tool := filepath.Join(t.TempDir(), "indexer-gen")
	run(t, "../../..", "go", "build", "-o", tool, "./cmd/indexer-gen")
	for _, p := range projects {
		t.Run(p.name, func(t *testing.T) {
			dir := t.TempDir()
			p.module(t, dir)
			here := filepath.Join(dir, "oracle")
			for from, to := range map[string]string{p.name + "_types.go.txt": "types.go",
				p.name + "_test.go.txt": "pairs_test.go", "agree_test.go.txt": "agree_test.go"} {
				write(t, filepath.Join(here, to), p.moved(read(t, filepath.Join("testdata", from))))
			}
			write(t, filepath.Join(here, "theirs_test.go"), p.indexFunctions(t))
			run(t, dir, tool, "-target=native,client-go,controller-runtime", "./oracle")
			t.Log(run(t, dir, "go", "test", "-vet=off", "-count=1", "-v", "./oracle"))
		})
	}
}

// module writes a module with the API packages of p, which requires what this module requires.
func (p *project) module(t *testing.T, dir string) {
	t.Helper()
	p.requiring(t, dir)
	source := fetch(t, p.types)
	for _, pkg := range p.packages {
		files, err := os.ReadDir(filepath.Join(source, pkg))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if name := filepath.Join(pkg, file.Name()); !file.IsDir() && !strings.HasSuffix(name, "_test.go") {
				write(t, filepath.Join(dir, name), p.moved(read(t, filepath.Join(source, name))))
			}
		}
	}
}

// requiring writes a go.mod that requires what this module and p require.
func (p *project) requiring(t *testing.T, dir string) {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	text := regexp.MustCompile(`(?m)^module .*$`).ReplaceAll(read(t, "../go.mod"), []byte("module example.com/m"))
	text = regexp.MustCompile(`=> (\.\S*)`).ReplaceAllFunc(text, func(found []byte) []byte {
		return []byte("=> " + filepath.Join(root, string(found[len("=> "):])))
	})
	for _, required := range p.requires {
		text = fmt.Appendf(text, "\nrequire %s\n", required)
	}
	write(t, filepath.Join(dir, "go.mod"), text)
	write(t, filepath.Join(dir, "go.sum"), read(t, "../go.sum"))
}

// moved replaces the path of the project's module.
func (p *project) moved(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte(`"`+p.path+"/"), []byte(`"example.com/m/`))
}

var isIndexFunction = regexp.MustCompile(`client\.(Object|IndexerFunc)\b|cache\.Indexers\b`)

// counts reports whether a function counts, by its name or by the type and name that it is registered with.
func (p *project) counts(name string) bool { return p.named == nil || p.named.MatchString(name) }

// indexFunctions returns a file with the functions that the files of p pass to IndexField.
func (p *project) indexFunctions(t *testing.T) []byte {
	t.Helper()
	source := fetch(t, p.functions)
	var body, table bytes.Buffer
	text := func(n any) string {
		var out strings.Builder
		if err := format.Node(&out, token.NewFileSet(), n); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	seen, dropped := map[string]bool{}, map[string]bool{}
	for _, name := range p.files {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(source, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			switch {
			case ok:
				used := f.Recv == nil && strings.Contains(text(f), p.only) && !strings.Contains(text(f.Type), "ctx") &&
					(p.only != "" || isIndexFunction.MatchString(text(f.Type))) && p.counts(f.Name.Name)
				if dropped[f.Name.Name] = strings.Contains(text(f.Body), "utiltas.IsTAS"); dropped[f.Name.Name] {
					continue
				}
				if !used || seen[f.Name.Name] {
					continue
				}
				seen[f.Name.Name], f.Doc = true, nil
			case decl.(*ast.GenDecl).Tok != token.CONST || !strings.Contains(text(decl), "clusterClassRefFmt"):
				continue
			}
			fmt.Fprintf(&body, "%s\n\n", text(decl))
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 4 || !strings.HasSuffix(text(call.Fun), ".IndexField") {
				return true
			}
			key := strings.TrimSuffix(strings.TrimPrefix(text(call.Args[1]), "&"), "{}") + " " +
				strings.Trim(text(call.Args[2]), `"`)
			if !strings.HasPrefix(key, p.only) || !p.counts(key) {
				return true
			}
			f := text(call.Args[3])
			if _, ok := call.Args[3].(*ast.CallExpr); ok || dropped[f] {
				f = "nil" // it depends on more than the object
			}
			fmt.Fprintf(&table, "\ttheirs[%s] = %s\n", strconv.Quote(key), f)
			return true
		})
	}
	out := fmt.Sprintf("package oracle\n\nimport (\n\t%s\n\t\"sigs.k8s.io/controller-runtime/pkg/client\"\n)\n\nvar _ client.Object\n\n"+
		"func init() {\n%s}\n\n%s", strings.Join(p.imports, "\n\t"), &table, &body)
	return p.moved([]byte(strings.NewReplacer(p.replace...).Replace(out)))
}

// fetch downloads a module and returns its directory.
func fetch(t *testing.T, module string) string {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = t.TempDir() // outside any module, so that nothing requires it
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	var found struct{ Dir, Error string }
	if bad := json.Unmarshal(out, &found); err != nil || bad != nil || found.Dir == "" {
		t.Fatalf("fetching %s: %v, %s", module, err, out)
	}
	return found.Dir
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func write(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return string(out)
}
