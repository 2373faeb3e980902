// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package target

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

const controllerRuntime = "sigs.k8s.io/controller-runtime"

// released are the modules that Kubernetes releases together, under one version.
var released = []string{
	"k8s.io/api", "k8s.io/apiextensions-apiserver", apimachinery, "k8s.io/apiserver", "k8s.io/cli-runtime", "k8s.io/client-go",
	"k8s.io/component-base", "k8s.io/component-helpers", "k8s.io/kube-aggregator", "k8s.io/kubectl", "k8s.io/metrics",
}

// checked are those of them whose versions are compared with that of apimachinery.
var checked = []string{"k8s.io/api", "k8s.io/client-go"}

// kubeModule is a module of Kubernetes as packages are built with it.
type kubeModule struct {
	path, version string // the version after replacement; "" for a directory or a fork
	replaced      bool
}

// minor returns the N of Kubernetes 1.N that the module is of, or 0.
func (m kubeModule) minor() int {
	if !semver.IsValid(m.version) {
		return 0
	}
	_, text, _ := strings.Cut(semver.MajorMinor(m.version), ".")
	n, _ := strconv.Atoi(text) // cannot fail: the version is valid
	if m.path == controllerRuntime {
		return n + 12 // v0.25 is for Kubernetes 1.37
	}
	return n
}

// kubeModules returns the modules of Kubernetes that a go.mod in dir names, and
// apimachinery. It asks the go command, which knows of workspaces and replacements.
func kubeModules(ctx context.Context, dir string, mod *modfile.File) []kubeModule {
	const format = `{{.Path}} {{with .Replace}}{{.Path}}@{{.Version}}{{else}}@{{.Version}}{{end}}`
	args := []string{"list", "-m", "-e", "-f", format, apimachinery}
	for _, r := range mod.Require {
		if path := r.Mod.Path; path != apimachinery && (path == controllerRuntime || slices.Contains(released, path)) {
			args = append(args, path)
		}
	}
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir = dir
	out, err := command.Output()
	if err != nil {
		return nil // the first build says why
	}
	var mods []kubeModule
	for line := range strings.Lines(string(out)) {
		path, with, _ := strings.Cut(strings.TrimSpace(line), " ")
		other, version, _ := strings.Cut(with, "@")
		m := kubeModule{path: path, version: version, replaced: other != ""}
		if m.replaced && other != path {
			m.version = ""
		}
		mods = append(mods, m)
	}
	return mods
}

// conflict says which of the modules cannot be built together, or with emitted code, and
// what to run. It returns "" if there are none. name is of the module that has them.
func conflict(name string, mods []kubeModule) string {
	if len(mods) == 0 || mods[0].minor() == 0 {
		return ""
	}
	machinery := mods[0]
	if semver.Compare(machinery.version, Apimachinery) < 0 {
		return fmt.Sprintf("%s is built with %s %s, and generated code needs %s; run %s",
			name, apimachinery, machinery.version, Apimachinery, raise(mods))
	}
	var broken []string
	for _, m := range mods[1:] {
		if slices.Contains(checked, m.path) && m.minor() != 0 && !compatible(machinery.minor(), m.minor()) {
			broken = append(broken, m.path+" "+m.version)
		}
	}
	if broken == nil {
		return ""
	}
	verb := "is"
	if len(broken) > 1 {
		verb = "are"
	}
	return fmt.Sprintf("%s is built with %s %s, with which %s %s not known to compile; run %s",
		name, apimachinery, machinery.version, strings.Join(broken, " and "), verb, raise(mods))
}

// compatible reports whether client-go and api of one minor version are known to compile
// with another of apimachinery. Up to 1.33 they do not with 1.34 and later, for which
// structured-merge-diff changed its major version; 1.36 does not with 1.37.
func compatible(apimachinery, other int) bool {
	switch {
	case other == apimachinery || apimachinery > 37: // later releases were not there to try
		return true
	case other > apimachinery:
		return false
	case apimachinery <= 33:
		return other >= 30
	}
	return other == 34 || other == 35
}

// raise returns the command that brings all modules to the newest of their releases, and
// at least to the lowest that emitted code can be built with. More modules may be named
// that are to be got with them.
func raise(mods []kubeModule, more ...string) string {
	target := kubeModule{version: Apimachinery}.minor()
	for _, m := range mods {
		target = max(target, m.minor())
	}
	var drop strings.Builder
	get := more
	for _, m := range mods {
		if m.minor() == 0 || m.minor() == target {
			continue
		}
		if m.replaced {
			drop.WriteString(" -dropreplace=" + m.path)
		}
		n := target
		if m.path == controllerRuntime {
			n -= 12
		}
		get = append(get, fmt.Sprintf("%s@v0.%d", m.path, n))
	}
	command := "go get " + strings.Join(get, " ") + " ./..." // whose imports go.sum must cover
	if drop.Len() > 0 {
		command = "go mod edit" + drop.String() + " && " + command
	}
	return command
}
