// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// source is the directory of this package.
func source() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(file)
}

// build compiles the clients of a workload into dir. They are separate programs, because linked code
// counts as memory too.
func build(ctx context.Context, clients, dir string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "build", "-o", dir+string(filepath.Separator), "./"+clients+"/...")
	cmd.Dir = source()
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the clients: %w\n%s", err, output)
	}
	return dir, nil
}
