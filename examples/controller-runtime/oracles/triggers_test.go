// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package oracles

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	// What the test runs, so that a cached result is not used when it changes.
	_ "github.com/indexer-gen/indexer-gen/runtime/trigger"
)

// converted is cluster-api, of which two controllers are converted to triggers.
var converted = project{
	types:    "sigs.k8s.io/cluster-api/api@v1.14.2",
	path:     "sigs.k8s.io/cluster-api/api",
	packages: []string{"addons/v1beta2", "core/v1beta2", "deprecated/errors"},
	imports: []string{`"context"`, `"encoding/base64"`, `"fmt"`, `"hash/fnv"`, `"github.com/go-logr/logr"`,
		`pkgerrors "github.com/pkg/errors"`, `"k8s.io/apimachinery/pkg/api/meta"`,
		`metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"`, `"k8s.io/apimachinery/pkg/labels"`,
		`"k8s.io/apimachinery/pkg/runtime"`, `"k8s.io/apimachinery/pkg/runtime/schema"`,
		`"k8s.io/apimachinery/pkg/util/validation"`, `"k8s.io/klog/v2"`, `ctrl "sigs.k8s.io/controller-runtime"`,
		`"sigs.k8s.io/controller-runtime/pkg/client"`, `"sigs.k8s.io/controller-runtime/pkg/client/apiutil"`,
		`"sigs.k8s.io/controller-runtime/pkg/event"`, `"sigs.k8s.io/controller-runtime/pkg/handler"`,
		`"sigs.k8s.io/controller-runtime/pkg/predicate"`,
		`addonsv1 "sigs.k8s.io/cluster-api/api/addons/v1beta2"`,
		`clusterv1 "sigs.k8s.io/cluster-api/api/core/v1beta2"`},
	replace: []string{"conditions.IsTrue(", "isTrue(", "format.MustFormatValue", "MustFormatValue"},
}

// replaced are the functions of cluster-api that a trigger makes unnecessary, by file.
var replaced = map[string][]string{
	"core/reconcilers/clusterresourceset/clusterresourceset_controller.go": {
		"clusterToClusterResourceSet", "resourceToClusterResourceSetFunc"},
	"core/reconcilers/clusterresourceset/predicates/resource_predicates.go": {"TypedResourceCreateOrUpdate"},
	"util/util.go": {"ClusterToTypedObjectsMapper", "MachineDeploymentToObjectsMapper",
		"MachineSetToObjectsMapper", "isAPINamespaced"},
	"util/predicates/cluster_predicates.go": {"ClusterControlPlaneInitialized"},
}

// TestTriggers compares triggers with the map functions and predicates of cluster-api, on a table of
// changes, and the lines of both.
func TestTriggers(t *testing.T) {
	if testing.Short() {
		t.Skip("fetches cluster-api")
	}
	dir := t.TempDir()
	tool := filepath.Join(dir, "indexer-gen")
	run(t, "../../..", "go", "build", "-o", tool, "./cmd/indexer-gen")
	converted.module(t, dir)
	here := filepath.Join(dir, "oracle")
	source := fetch(t, "sigs.k8s.io/cluster-api@v1.14.2")
	var functions bytes.Buffer
	for name, names := range replaced {
		functions.WriteString(functionsIn(t, filepath.Join(source, name), names))
	}
	hash := functionsIn(t, filepath.Join(source, "util/labels/format/helpers.go"), []string{"MustFormatValue"})
	text := fmt.Sprintf("package oracle\n\nimport (\n\t%s\n)\n\n%s%s",
		strings.Join(converted.imports, "\n\t"), hash, &functions)
	write(t, filepath.Join(here, "theirs.go"),
		converted.moved([]byte(strings.NewReplacer(converted.replace...).Replace(text))))
	for _, name := range []string{"triggers.go", "triggers_test.go", "world_test.go"} {
		text := read(t, filepath.Join("testdata", "clusterapi_"+name+".txt"))
		write(t, filepath.Join(here, name), converted.moved(text))
	}
	run(t, dir, tool, "./oracle")
	t.Log(run(t, dir, "go", "test", "-vet=off", "-count=1", "-v", "./oracle"))

	_, ours, _ := bytes.Cut(read(t, filepath.Join(here, "triggers.go")), []byte("\n)\n"))
	before, after := lines(functions.String()), lines(string(ours))
	t.Logf("%d lines of functions before, %d lines after", before, after)
	if after*10 > before*3 {
		t.Error("less than 70 % of the lines are saved")
	}
}

// functionsIn returns the functions and methods of a file that have one of the names, without comments.
func functionsIn(t *testing.T, name string, names []string) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	found := 0
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && slices.Contains(names, f.Name.Name) {
			found++
			if err := format.Node(&out, token.NewFileSet(), f); err != nil {
				t.Fatal(err)
			}
			out.WriteString("\n\n")
		}
	}
	if found != len(names) {
		t.Fatalf("%s has %d of the functions %q", name, found, names)
	}
	return out.String()
}

// lines counts lines of code. Markers count, other comments and blank lines do not.
func lines(text string) (n int) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && (!strings.HasPrefix(line, "//") || strings.HasPrefix(line, "// +")) {
			n++
		}
	}
	return n
}
