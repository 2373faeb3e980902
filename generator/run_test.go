// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/generator"
)

// module writes files below a temporary module and returns its directory.
// metav1 is faked where it stands, so that nothing is downloaded.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	dir := t.TempDir()
	all := map[string]string{
		"go.mod":      "module example.com/scratch\n\ngo 1.24.0\n\nrequire k8s.io/apimachinery v0.0.0\n\nreplace k8s.io/apimachinery => ./meta\n",
		"meta/go.mod": "module k8s.io/apimachinery\n\ngo 1.24.0\n",
		"meta/pkg/apis/meta/v1/types.go": "package v1\n\ntype TypeMeta struct{}\ntype ObjectMeta struct {\n\tName string `json:\"name\"`\n}\n\n" +
			"func (o *ObjectMeta) GetNamespace() string { return \"\" }\n\n" +
			"type ListMeta struct{}\n",
	}
	for name, text := range files {
		all[name] = text
	}
	for name, text := range all {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const widget = `// +groupName=example.com
// +versionName=v1
package api

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// +index:name=Name,path=.metadata.name
type Widget struct {
	metav1.TypeMeta   ` + "`json:\",inline\"`" + `
	metav1.ObjectMeta ` + "`json:\"metadata\"`" + `
}
`

// TestRunTwice writes once: the second run finds nothing changed and leaves the
// file alone.
func TestRunTwice(t *testing.T) {
	dir := module(t, map[string]string{"api/types.go": widget})
	cfg := generator.Config{Dir: dir, Patterns: []string{"./..."}}
	first, err := generator.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Files) != 1 || !first.Files[0].Changed || first.Files[0].Types != 1 || first.Files[0].Indexes != 1 {
		t.Fatalf("Run() = %+v", first.Files)
	}
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(first.Files[0].Path, old, old); err != nil {
		t.Fatal(err)
	}
	second, err := generator.Run(t.Context(), cfg)
	if err != nil || len(second.Stale()) != 0 {
		t.Fatalf("second Run() = %+v, %v", second, err)
	}
	info, err := os.Stat(first.Files[0].Path)
	if err != nil || !info.ModTime().Equal(old) {
		t.Errorf("the file was written again: %v, %v", info.ModTime(), err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "api", "*"))
	if err != nil || len(left) != 2 {
		t.Errorf("files left in the package: %v, %v", left, err)
	}
}

// TestRunWritesNothing if a single package of several is wrong.
func TestRunWritesNothing(t *testing.T) {
	dir := module(t, map[string]string{
		"api/types.go": widget,
		"bad/types.go": "// +groupName=example.com\n// +versionName=v1\npackage bad\n\n// +index:nonsense\ntype T struct{}\n",
	})
	_, err := generator.Run(t.Context(), generator.Config{Dir: dir, Patterns: []string{"./api", "./bad"}})
	var list generator.Diagnostics
	if !errors.As(err, &list) || len(list) != 1 || list[0].Pos.Line != 5 || list[0].Pos.Column != 4 {
		t.Fatalf("Run() = %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "api", generator.FileName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was written: %v", err)
	}
}

// TestRunNoMatch checks that ErrNoMatch identifies the error.
func TestRunNoMatch(t *testing.T) {
	dir := module(t, map[string]string{"api/types.go": "package api\n"})
	if _, err := generator.Run(t.Context(), generator.Config{Dir: dir, Patterns: []string{"./api"}}); !errors.Is(err, generator.ErrNoMatch) {
		t.Errorf("Run() = %v", err)
	}
}

// TestRunInterrupted writes nothing, and says so by the context's error, whenever it is
// that the context ends.
func TestRunInterrupted(t *testing.T) {
	dir := module(t, map[string]string{"api/types.go": widget})
	cfg := generator.Config{Dir: dir, Patterns: []string{"./api"}}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := generator.Run(stopped, cfg); !errors.Is(err, context.Canceled) || err.Error() != "interrupted; nothing was written: context canceled" {
		t.Errorf("Run() = %v", err)
	}
	if _, err := generator.Explain(stopped, cfg); !errors.Is(err, context.Canceled) {
		t.Errorf("Explain() = %v", err)
	}
	for after := time.Millisecond; ; after *= 2 {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		_, err := generator.Run(ctx, cfg)
		cancel()
		_, statErr := os.Stat(filepath.Join(dir, "api", generator.FileName))
		if err == nil {
			break
		}
		if !errors.Is(err, context.DeadlineExceeded) || statErr == nil {
			t.Fatalf("Run() = %v, and what is written: %v", err, statErr)
		}
	}
}

// TestRunWithoutGo checks that the error names the missing go command.
func TestRunWithoutGo(t *testing.T) {
	dir := module(t, map[string]string{"api/types.go": widget})
	t.Setenv("PATH", t.TempDir())
	_, err := generator.Run(t.Context(), generator.Config{Dir: dir, Patterns: []string{"./api"}})
	if err == nil || !strings.Contains(err.Error(), `"go": executable file not found`) {
		t.Errorf("Run() = %v", err)
	}
}

// TestRunStartsGoOnce checks that the go command lists packages once and looks none up in the build cache, also
// if they refer to net, which has files that import C. The other two starts tell versions and platform.
func TestRunStartsGoOnce(t *testing.T) {
	command, err := exec.LookPath("go")
	if err != nil || runtime.GOOS == "windows" {
		t.Skip("needs the go command and a shell")
	}
	dir := module(t, map[string]string{"api/types.go": strings.NewReplacer(
		"import metav1", "import \"net\"\nimport metav1", "`json:\"metadata\"`", "`json:\"metadata\"`\n\tIP net.IP `json:\"ip\"`").Replace(widget)})
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "log")
	script := fmt.Sprintf("#!/bin/sh\necho \"$*\" >> '%s'\nexec '%s' \"$@\"\n", log, command)
	if err := os.WriteFile(filepath.Join(bin, "go"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("CGO_ENABLED", "1")
	if _, err := generator.Run(t.Context(), generator.Config{Dir: dir, Patterns: []string{"./api"}}); err != nil {
		t.Fatal(err)
	}
	said, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	got := string(said)
	if strings.Count(got, "\n") != 3 || strings.Count(got, "-deps=true") != 1 || !strings.Contains(got, "-compiled=false -- ./api") {
		t.Errorf("the go command was started with\n%s", got)
	}
}

// TestRunControlCharacters checks that paths with control characters are rejected.
func TestRunControlCharacters(t *testing.T) {
	for _, cfg := range []generator.Config{{Output: "a\nb"}, {Output: "a\x1b[31m"}, {Header: generator.Header{File: "a\tb"}}} {
		cfg.Dir = t.TempDir()
		if _, err := generator.Run(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), "has a control character") {
			t.Errorf("Run(%+v) = %v", cfg, err)
		}
	}
}
