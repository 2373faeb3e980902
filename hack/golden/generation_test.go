// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package golden

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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
