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
)

const (
	modulePath = "github.com/indexer-gen/indexer-gen/examples"
	childName  = "apiserver-child"
	childPath  = modulePath + "/apiserver/cmd/" + childName
)

// recipe says what to build and where.
type recipe struct {
	title    string    // for people
	duration string    // of the first build, for people
	module   string    // directory of the go.mod, relative to that of the examples
	output   string    // directory of the commands, relative to that of the checkout
	flags    []string  // of go build
	commands []command // in the order of building
}

// command is the name of a binary, and the package that it is built from.
type command struct{ name, path string }

var childRecipe = recipe{
	title:    "the example API server",
	duration: "a few minutes",
	flags:    []string{linkerFlags},
	commands: []command{{childName, childPath}},
}

// built is a directory with commands. No other process replaces them until
// release is called.
type built struct {
	dir     string
	release func()
}

// path returns the path of a command.
func (b built) path(name string) string { return filepath.Join(b.dir, executable(name)) }

func executable(name string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return name
}

// build builds commands. They stand in the user's cache directory, one for each
// checkout, so that go build finds them there and links them again only if
// something changed.
//
// The build is the same whatever the caller is built with: without go.work,
// race detector, coverage or experiments. So it shares its packages in the
// build cache with plain builds.
func build(ctx context.Context, progress io.Writer, r recipe) (b built, err error) {
	module, err := moduleDir(ctx)
	if err != nil {
		return built{}, err
	}
	dir, err := outputDir(module, r.output)
	if err != nil {
		return built{}, err
	}
	unlock, err := lock(ctx, filepath.Join(dir, "lock"))
	if err != nil {
		return built{}, err
	}
	a := announce(progress, r.title, r.duration)
	defer func() { a.end(err == nil) }()
	b = built{dir: dir, release: unlock}
	// The go command leaves its temporary files behind when it is interrupted.
	temporary := filepath.Join(dir, "tmp")
	err = errors.Join(os.RemoveAll(temporary), os.Mkdir(temporary, 0o700))
	if err == nil {
		err = b.buildAll(ctx, a, r, module, temporary)
	}
	if err = errors.Join(err, os.RemoveAll(temporary)); err != nil {
		unlock()
		return built{}, err
	}
	return b, nil
}

// buildAll builds the commands of r. It has the go command write its temporary files to the directory
// temporary.
func (b built) buildAll(ctx context.Context, a *announcement, r recipe, module, temporary string) error {
	module = filepath.Join(module, filepath.FromSlash(r.module))
	for _, c := range r.commands {
		args := []string{"build", "-v", "-mod=readonly", "-race=false", "-cover=false", "-o", b.path(c.name)}
		cmd := exec.CommandContext(ctx, "go", append(append(args, r.flags...), c.path)...)
		cmd.Dir = module
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOEXPERIMENT=", "GOTMPDIR="+temporary, "PWD="+module)
		cmd.Stdout, cmd.Stderr = a, a
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		cmd.WaitDelay = closeGrace
		err := cmd.Run()
		if err == nil {
			continue
		}
		if ctx.Err() != nil {
			return fmt.Errorf("building %s: %w", c.name, context.Cause(ctx))
		}
		return fmt.Errorf("building %s in %s: %w\n%s", c.name, module, err, &a.messages)
	}
	return nil
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

// outputDir makes the directory for commands that are built from a checkout.
func outputDir(module, output string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir() // as in containers without a home
	}
	cache = filepath.Join(cache, "indexer-gen")
	sum := sha256.Sum256([]byte(module))
	checkout := filepath.Join(cache, fmt.Sprintf("apiserver-%x", sum[:6]))
	dir := filepath.Join(checkout, filepath.FromSlash(output))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("making a directory for the example API server: %w", err)
	}
	// It exists after the first build. Where it cannot be made, the directory stays for good.
	_ = os.Symlink(module, filepath.Join(checkout, checkoutName))
	removeOrphans(cache)
	return dir, nil
}

// checkoutName is the link from a directory to the checkout that it is for.
const checkoutName = "checkout"

// removeOrphans removes the directories in cache whose checkouts no longer exist, if it can.
func removeOrphans(cache string) {
	links, _ := filepath.Glob(filepath.Join(cache, "apiserver-*", checkoutName)) // the pattern is valid
	for _, link := range links {
		if _, err := os.Stat(link); errors.Is(err, os.ErrNotExist) {
			_ = os.RemoveAll(filepath.Dir(link))
		}
	}
}
