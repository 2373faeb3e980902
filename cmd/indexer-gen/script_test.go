// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	if isVetTool(os.Args[1:]) {
		vetToolMain()
	}
	testscript.Main(m, map[string]func(){
		"indexer-gen": func() { os.Exit(runCommand(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the scripts in testdata/script, each in a module of its own,
// example.com/scratch, which requires the runtime of this repository. With -short it leaves
// out the scripts that call the go command, which builds these modules.
func TestScripts(t *testing.T) {
	runtime, err := filepath.Abs("../../runtime")
	if err != nil {
		t.Fatal(err)
	}
	goMod := scratchModule(t, runtime)
	goSum, err := os.ReadFile(filepath.Join(runtime, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	environment := goEnv(t, "GOMODCACHE", "GOCACHE", "GOPROXY", "GOSUMDB", "GONOSUMDB", "GOTOOLCHAIN")
	testscript.Run(t, testscript.Params{
		Files:               scripts(t),
		UpdateScripts:       os.Getenv("UPDATE") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, environment...)
			env.Vars = append(env.Vars, "GOWORK=off", "GOFLAGS=-mod=mod")
			env.Vars = append(env.Vars, "GOGC=400") // as in main, which scripts bypass
			if err := os.WriteFile(filepath.Join(env.WorkDir, "go.sum"), goSum, 0o666); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(env.WorkDir, "go.mod"), []byte(goMod), 0o666)
		},
	})
}

// scripts returns the scripts to run.
func scripts(t *testing.T) (names []string) {
	t.Helper()
	found, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(found) == 0 {
		t.Fatalf("%d scripts, %v", len(found), err)
	}
	for _, name := range found {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !testing.Short() || !strings.Contains(string(text), "exec go ") {
			names = append(names, name)
		}
	}
	return names
}

// scratchModule returns a go.mod that requires what the runtime requires, and the runtime.
func scratchModule(t *testing.T, runtime string) string {
	text, err := os.ReadFile(filepath.Join(runtime, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	const path = "github.com/indexer-gen/indexer-gen/runtime"
	mod := regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(string(text), "module example.com/scratch")
	return fmt.Sprintf("%s\nrequire %s v0.0.0\n\nreplace %s => %s\n", mod, path, path, runtime)
}

func goEnv(t *testing.T, names ...string) []string {
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	var vars []string
	for i, value := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		vars = append(vars, names[i]+"="+value)
	}
	return vars
}
