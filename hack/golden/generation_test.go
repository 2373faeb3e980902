// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package golden

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	rt "github.com/indexer-gen/indexer-gen/runtime"
)

// Emitted code of another generation than the runtime's does not compile. The compiler names the
// line of the version guard, whose comment or type says what to run.
func TestGenerations(t *testing.T) {
	const guard = "const _ = rt.GenVersion4\n"
	file, err := filepath.Abs("fleet/zz_generated.indexers.go")
	if err != nil {
		t.Fatal(err)
	}
	emitted, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, after, ok := strings.Cut(string(emitted), guard)
	if !ok {
		t.Fatalf("%s has no line %q", file, guard)
	}
	if comment := "If this line fails to compile, upgrade the runtime module.\n"; !strings.HasSuffix(before, comment) {
		t.Errorf("the comment above the guard does not end with %q", comment)
	}
	for name, test := range map[string]struct{ constant, want string }{
		"this":  {"GenVersion4", ""},
		"older": {"GenVersion3", "RunIndexerGen) is not constant"},
		"newer": {"GenVersion5", "undefined: rt.GenVersion5"},
	} {
		t.Run(name, func(t *testing.T) {
			other := filepath.Join(t.TempDir(), "emitted.go")
			text := before + strings.ReplaceAll(guard, "GenVersion4", test.constant) + after
			if err := os.WriteFile(other, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{file: other}})
			if err != nil {
				t.Fatal(err)
			}
			config := filepath.Join(t.TempDir(), "overlay.json")
			if err := os.WriteFile(config, overlay, 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := exec.CommandContext(t.Context(), "go", "build", "-overlay", config, "./fleet").CombinedOutput()
			if test.want == "" && err != nil || !strings.Contains(string(out), test.want) {
				t.Errorf("go build printed %q (%v), want %q", out, err, test.want)
			}
		})
	}
}

// The runtime compiles a file of each generation from v0.1.0 on that it promises to take, as a release emitted it:
// testdata has them. Nobody generates these files again after the release.
func TestReleasedGenerations(t *testing.T) {
	const first = 4 // of v0.1.0
	for generation := first; generation <= rt.GenVersion4; generation++ {
		dir := fmt.Sprintf("./testdata/generation%d", generation)
		emitted, err := os.ReadFile(filepath.Join(dir, "zz_generated.indexers.go"))
		if err != nil {
			t.Fatalf("%v: copy types.go and the emitted file of ./fleet, as the release with the generation has them", err)
		}
		if guard := fmt.Sprintf("const _ = rt.GenVersion%d\n", generation); !strings.Contains(string(emitted), guard) {
			t.Errorf("%s has no line %q", dir, guard)
		}
		if out, err := exec.CommandContext(t.Context(), "go", "vet", dir).CombinedOutput(); err != nil {
			t.Errorf("go vet %s: %v\n%s", dir, err, out)
		}
	}
}
