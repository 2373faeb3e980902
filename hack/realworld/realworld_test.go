// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package realworld

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	// What the test runs and compiles, so that a cached result is not used when it changes.
	_ "github.com/indexer-gen/indexer-gen/generator"
	_ "github.com/indexer-gen/indexer-gen/runtime/informer"
	_ "github.com/indexer-gen/indexer-gen/runtime/lister"
	_ "github.com/indexer-gen/indexer-gen/runtime/wire"
)

// reference returns how the types of a module are served. source is the directory of the
// module.
type reference func(t *testing.T, m module, source string) map[resource]serving

// serving is how a type is served. A version that is in a manifest for the sake of
// old servers, and served by none, may have no Go type any more.
type serving struct {
	how    string // "resource, scope"
	served bool
}

// TestModules generates for every module of the table.
func TestModules(t *testing.T) {
	if testing.Short() {
		t.Skip("downloads and compiles API modules")
	}
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	tool := filepath.Join(t.TempDir(), "indexer-gen")
	run(t, repo, nil, "go", "build", "-o", tool, "./cmd/indexer-gen")
	for _, m := range modules {
		t.Run(m.path, func(t *testing.T) {
			t.Parallel()
			dir, source := scratch(t, repo, m.path, m.version)
			args := []string{"-all", "-o", "generated/{path}"}
			for p := range strings.FieldsSeq(m.packages) {
				args = append(args, m.path+p)
			}
			t.Log(run(t, dir, alone, tool, args...))
			run(t, dir, alone, "go", "vet", "./...")
			run(t, dir, alone, tool, append([]string{"-check"}, args...)...)
			compare(t, emitted(t, dir), m.reference(t, m, source))
		})
	}
}

// alone keeps the go command out of this repository's workspace.
var alone = []string{"GOWORK=off", "GOFLAGS=-mod=mod"}

func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
	return string(out)
}

// scratch makes a module that requires the API module and the runtime, and
// returns its directory and that of the API module.
func scratch(t *testing.T, repo, path, version string) (dir, source string) {
	dir = t.TempDir()
	const runtime = "github.com/indexer-gen/indexer-gen/runtime"
	goMod := fmt.Sprintf(
		"module example.com/scratch\n\ngo 1.26.0\n\nrequire (\n\t%s %s\n\t%s v0.0.0\n)\n\nreplace %s => %s\n",
		path,
		version,
		runtime,
		runtime,
		filepath.Join(repo, "runtime"),
	)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(goMod), 0o666); err != nil {
		t.Fatal(err)
	}
	var module struct{ Dir string }
	run(t, dir, alone, "go", "mod", "download")
	if err := json.Unmarshal([]byte(run(t, dir, alone, "go", "list", "-m", "-json", path)), &module); err != nil {
		t.Fatal(err)
	}
	return dir, module.Dir
}

// downloaded returns the directory of a module that nothing is built of.
func downloaded(t *testing.T, path, version string) string {
	var module struct{ Dir string }
	if err := json.Unmarshal([]byte(run(t, t.TempDir(), alone, "go", "mod", "download", "-json", path+"@"+version)), &module); err != nil {
		t.Fatal(err)
	}
	return module.Dir
}

// resource is how a type is served.
type resource struct{ group, version, kind string }

func (r resource) String() string { return r.kind + "." + r.version + "." + r.group }

var (
	variable = regexp.MustCompile(
		`(?m)^var (\w+)Resource = schema\.GroupVersionResource\{Group: "(.*)", Version: "(.*)", Resource: "(.*)"\}$`,
	)
	// constructor matches the kind, the scope and the variable of a lister.
	constructor = regexp.MustCompile(
		`(?m)^func New(\w+)Lister\(s [^}]*?lister\.New(ClusterScoped)?\(s, (\w+)Resource\.`,
	)
)

// emitted reads what the generator made of the types: "resource, scope" of each.
func emitted(t *testing.T, dir string) map[resource]string {
	out := map[resource]string{}
	err := filepath.WalkDir(filepath.Join(dir, "generated"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		kinds, scopes := map[string]string{}, map[string]string{}
		for _, m := range constructor.FindAllStringSubmatch(string(text), -1) {
			kinds[m[3]], scopes[m[3]] = m[1], "Namespaced"
			if m[2] != "" {
				scopes[m[3]] = "Cluster"
			}
		}
		for _, m := range variable.FindAllStringSubmatch(string(text), -1) {
			out[resource{m[2], m[3], kinds[m[1]]}] = m[4] + ", " + scopes[m[1]]
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// compare requires that every served type is emitted, and as it is served.
func compare(t *testing.T, got map[resource]string, want map[resource]serving) {
	if len(want) == 0 {
		t.Error("there is nothing to compare with")
	}
	byName := func(a, b resource) int { return strings.Compare(a.String(), b.String()) }
	for _, r := range slices.SortedFunc(maps.Keys(want), byName) {
		switch g, ok := got[r]; {
		case !ok && want[r].served:
			t.Errorf("%s is served but not emitted", r)
		case !ok:
			t.Logf("%s is neither served nor emitted", r)
		case g != want[r].how:
			t.Errorf("%s is emitted as %s, but served as %s", r, g, want[r].how)
		}
	}
	for _, r := range slices.SortedFunc(maps.Keys(got), byName) {
		if _, ok := want[r]; !ok {
			t.Logf("%s is emitted (%s), and not in the reference", r, got[r])
		}
	}
	t.Logf("%d types, %d of them in the reference", len(got), len(want))
}
