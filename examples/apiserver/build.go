// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const (
	modulePath = "github.com/indexer-gen/indexer-gen/examples"
	childPath  = modulePath + "/apiserver/cmd/apiserver-child"

	// patience is how long a build may take before it is announced.
	patience = 2 * time.Second
)

// built is the command of the child. No other process replaces it until
// release is called.
type built struct {
	path    string
	release func()
}

// build builds the command of the child. It stands in the user's cache
// directory, one for each checkout, so that go build finds it there and links
// it again only if something changed.
//
// The build is the same whatever the caller is built with: by the go.mod of
// the examples, without go.work, race detector, coverage or experiments. So it
// shares its packages in the build cache with the plain builds of that module.
func build(ctx context.Context, progress io.Writer) (b built, err error) {
	done := announce(progress)
	defer func() { done(err == nil) }()
	module, err := moduleDir(ctx)
	if err != nil {
		return built{}, err
	}
	dir, err := binaryDir(module)
	if err != nil {
		return built{}, err
	}
	unlock, err := lock(ctx, filepath.Join(dir, "lock"))
	if err != nil {
		return built{}, err
	}
	path := filepath.Join(dir, "apiserver-child")
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-race=false", "-cover=false", "-ldflags=-s -w", "-o", path, childPath)
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOEXPERIMENT=", "PWD="+module)
	output, err := cmd.CombinedOutput()
	if err != nil {
		unlock()
		return built{}, fmt.Errorf("building the example API server in %s: %w\n%s", module, errors.Join(context.Cause(ctx), err), output)
	}
	return built{path: path, release: unlock}, nil
}

// announce says after a moment that a build is going on. The caller calls done
// when it is over.
func announce(w io.Writer) (done func(succeeded bool)) {
	if w == nil {
		return func(bool) {}
	}
	start := time.Now()
	announced := make(chan struct{})
	// Nobody needs to know if progress cannot be written.
	timer := time.AfterFunc(patience, func() {
		defer close(announced)
		fmt.Fprintln(w, "building the example API server (the first time takes a few minutes)")
	})
	return func(succeeded bool) {
		if timer.Stop() {
			return
		}
		<-announced
		if !succeeded {
			return
		}
		fmt.Fprintf(w, "built the example API server in %v\n", time.Since(start).Round(time.Second))
	}
}

// moduleDir finds the module of the examples: from this file as it was
// compiled, or by the go command if that was with -trimpath.
func moduleDir(ctx context.Context) (string, error) {
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		dir := filepath.Dir(filepath.Dir(file))
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", modulePath)
	cmd.Stderr = &stderr
	output, err := cmd.Output()
	dir := strings.TrimSpace(string(output))
	if err != nil || dir == "" {
		return "", fmt.Errorf("finding the source of the example API server: %w: %s: run this within the repository, or build %s and set Binary",
			errors.Join(context.Cause(ctx), err), bytes.TrimSpace(stderr.Bytes()), childPath)
	}
	return dir, nil
}

// binaryDir makes the directory for the command that is built from a module.
func binaryDir(module string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir() // as in containers without a home
	}
	sum := sha256.Sum256([]byte(module))
	dir := filepath.Join(cache, "indexer-gen", fmt.Sprintf("apiserver-%x", sum[:6]))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("making a directory for the example API server: %w", err)
	}
	return dir, nil
}
