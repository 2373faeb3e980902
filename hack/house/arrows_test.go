// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	root       = "github.com/indexer-gen/indexer-gen"
	runtimeMod = root + "/runtime"
)

// repository is the directory of the repository, from this package's.
var repository = filepath.Join("..", "..")

type goPackage struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
	Deps       []string
	Standard   bool
}

// list runs go list as a user of the module alone would: without go.work.
func list(t *testing.T, module string, args ...string) []goPackage {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Dir,GoFiles,Imports,Deps,Standard"}, args...)...)
	cmd.Dir = filepath.Join(repository, module)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list in %s: %v\n%s", module, err, stderr.Bytes())
	}
	var pkgs []goPackage
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	if len(pkgs) == 0 {
		t.Fatalf("go list in %s: no packages", module)
	}
	return pkgs
}

func under(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}

// Inside the generator's module, each package may import only what comes before it.
func TestGeneratorArrows(t *testing.T) {
	order := []string{
		"/generator/progress", "/templates/model", "/templates",
		"/generator/internal/diag", "/generator/internal/fieldpath", "/generator/internal/gotypes",
		"/generator/internal/marker", "/generator/internal/load", "/generator/internal/loadtest", "/generator/internal/target",
		"/generator/internal/collect", "/generator/internal/served", "/generator/internal/index",
		"/generator/internal/plan", "/generator/internal/write", "/generator",
		"/generator/migrate/internal/learn", "/generator/migrate",
		"/generator/vet/internal/program",
		"/generator/vet/cachemutation", "/generator/vet/tombstone", "/generator/vet", "/cmd/indexer-gen",
	}
	rank := func(path string) int {
		return slices.IndexFunc(order, func(dir string) bool { return path == root+dir })
	}
	for _, p := range list(t, ".", "./...") {
		from := rank(p.ImportPath)
		if from < 0 {
			t.Errorf("%s has no place in the house", p.ImportPath)
		}
		for _, imported := range p.Imports {
			if under(imported, root) && rank(imported) >= from {
				t.Errorf("%s imports %s", p.ImportPath, imported)
			}
		}
	}
}

// Inside runtime and wire, each package may import only what comes before it. Of runtime, wire uses delta, source and
// three internal packages.
func TestRuntimeArrows(t *testing.T) {
	for module, order := range map[string][]string{
		"runtime": {"",
			"/internal/ctxsync", "/internal", "/slim", "/canonical", "/delta", "/source", "/shard",
			"/store/internal/notify", "/store/internal/parts",
			"/store/internal/trie", "/store/internal/posting", "/store/internal/table", "/store/internal/btree",
			"/store/internal/index", "/store/internal/query", "/store", "/mutation",
			"/discovery", "/lister", "/metrics", "/reflector", "/watch",
			"/informer/internal/health", "/informer/internal/hub",
			"/informer", "/queue", "/page", "/trigger", "/runtimetest", "/internal/sourcetest"},
		"runtime/wire": {"",
			"/internal/accessor", "/internal/ctxsync", "/internal/truncate", "/internal/typemeta", "/delta", "/source",
			"/wire/internal/places", "/wire/internal/identity", "/wire/internal/intern", "/wire/internal/skip",
			"/wire/internal/fields", "/wire/internal/spare", "/wire/internal/decode", "/wire/internal/protobuf", "/wire"},
	} {
		rank := func(path string) int { // that of the longest directory
			last := -1
			for i, dir := range order {
				if (path == runtimeMod+dir || dir != "" && under(path, runtimeMod+dir)) &&
					(last < 0 || len(dir) > len(order[last])) {
					last = i
				}
			}
			return last
		}
		for _, p := range list(t, module, "./...") {
			if rank(p.ImportPath) < 0 {
				t.Errorf("%s has no place in the house", p.ImportPath)
			}
			for _, imported := range p.Imports {
				if under(imported, runtimeMod) && (rank(imported) < 0 || rank(imported) >= rank(p.ImportPath)) {
					t.Errorf("%s imports %s", p.ImportPath, imported)
				}
			}
		}
	}
}

func TestModules(t *testing.T) {
	for _, module := range []string{".", "runtime"} {
		mod, err := os.ReadFile(filepath.Join(repository, module, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(mod, []byte("replace")) {
			t.Errorf("%s/go.mod has a replace: go install …@version would fail", module)
		}
	}
	for _, module := range []string{"runtime", "runtime/kubeconn", "runtime/prometheus", "runtime/wire"} {
		mod, err := os.ReadFile(filepath.Join(repository, module, "go.mod"))
		if err != nil {
			t.Fatal(err)
		}
		for _, floor := range []string{"\ngo 1.24.0\n", "k8s.io/apimachinery v0.32.0\n"} {
			if !bytes.Contains(mod, []byte(floor)) {
				t.Errorf(
					"%s/go.mod no longer says %q: users of that version are shut out",
					module,
					strings.TrimSpace(floor),
				)
			}
		}
	}
}
