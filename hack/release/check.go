// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// installable are the modules that hold commands for go install …@version, which
// refuses a module with replace directives, and the one that every user requires.
var installable = []string{".", "runtime"}

func checkVersion(version string) error {
	if !semver.IsValid(version) || semver.Canonical(version) != version {
		return fmt.Errorf("%q is not a version: write vX.Y.Z", version)
	}
	if semver.Compare(version, "v2.0.0") >= 0 {
		return fmt.Errorf("%s: from v2.0.0 on, module paths must end in %s", version, semver.Major(version))
	}
	return nil
}

// check returns everything that keeps version from being released.
func check(root string, modules []*goModule, version string) error {
	var errs []error
	fail := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }

	if status, err := git(root, "status", "--porcelain"); err != nil {
		return err
	} else if status != "" {
		fail("the working tree has changes; commit them:\n%s", status)
	}
	changes, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	if !bytes.Contains(changes, []byte("\n## "+version+"\n")) {
		fail("CHANGELOG.md has no section %q; write it", "## "+version)
	}
	tags, err := git(root, "tag", "--list")
	if err != nil {
		return err
	}
	for _, tag := range strings.Fields(tags) {
		if earlier := path.Base(tag); semver.IsValid(earlier) && semver.Compare(version, earlier) <= 0 {
			fail("%s is not higher than %s, which is tagged; choose a higher version", version, tag)
		}
	}
	for _, m := range modules {
		for _, r := range m.siblings(modules) {
			if r.Mod.Version != version {
				fail("%s/go.mod requires %s, not %s; run -prepare %s", m.dir, r.Mod, version, version)
			}
		}
		for _, r := range m.file.Replace {
			to := path.Join(m.dir, r.New.Path)
			if r.New.Version != "" || path.IsAbs(r.New.Path) || to == ".." || strings.HasPrefix(to, "../") {
				fail("%s/go.mod replaces %s by %s, which is outside of the repository; drop the directive",
					m.dir, r.Old.Path, r.New.Path)
			}
			if slices.Contains(installable, m.dir) {
				fail("%s/go.mod has a replace directive for %s; drop it: go install refuses it", m.dir, r.Old.Path)
			}
		}
	}
	return errors.Join(errs...)
}

func git(root string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = root
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return "", fmt.Errorf("git %s: %s", strings.Join(args, " "), bytes.TrimSpace(exit.Stderr))
	}
	return string(out), err
}
