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

const (
	clientGo          = "k8s.io/client-go"
	controllerRuntime = "sigs.k8s.io/controller-runtime"
)

// released lists the modules that Kubernetes releases together, with one version.
var released = []string{
	"k8s.io/api", "k8s.io/apiextensions-apiserver", apimachinery, "k8s.io/apiserver",
	"k8s.io/cli-runtime", clientGo, "k8s.io/component-base", "k8s.io/component-helpers",
	"k8s.io/kube-aggregator", "k8s.io/kubectl", "k8s.io/metrics",
}

// checked lists the modules whose versions are compared with that of apimachinery.
var checked = []string{"k8s.io/api", clientGo}

// kubeModule is a Kubernetes module in the build list.
type kubeModule struct {
	path, version string // the version after replacement; "" for a directory or a fork
	replaced      bool
}

// minor returns N for the version of Kubernetes 1.N, or 0.
func (m kubeModule) minor() int {
	if !semver.IsValid(m.version) {
		return 0
	}
	_, text, _ := strings.Cut(semver.MajorMinor(m.version), ".")
	n, _ := strconv.Atoi(text) // the version is valid
	if m.path == controllerRuntime {
		return n + 12 // controller-runtime v0.25 is for Kubernetes 1.37
	}
	return n
}

// kubeModules returns the Kubernetes modules in a go.mod in dir, and apimachinery. It uses the
// go command, which resolves workspaces and replacements.
func kubeModules(ctx context.Context, dir string, mod *modfile.File) []kubeModule {
	const format = `{{.Path}} {{with .Replace}}{{.Path}}@{{.Version}}{{else}}@{{.Version}}{{end}}`
	args := []string{"list", "-m", "-e", "-f", format, apimachinery}
	for _, r := range mod.Require {
		if path := r.Mod.Path; path != apimachinery &&
			(path == controllerRuntime || slices.Contains(released, path)) {
			args = append(args, path)
		}
	}
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir = dir
	out, err := command.Output()
	if err != nil {
		return nil // the first build reports the error
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

// conflict returns an error for modules that cannot be built together or with emitted code,
// with the command to run. It returns "" if there are none. name is the path of their module.
func conflict(name string, mods []kubeModule) string {
	if len(mods) == 0 || mods[0].minor() == 0 {
		return ""
	}
	machinery := mods[0]
	if semver.Compare(machinery.version, Apimachinery) < 0 {
		return fmt.Sprintf("%s is built with %s %s, which is below %s, and no target works with it; run %s",
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

// compatible reports whether client-go and api of one minor version compile with another of
// apimachinery. Versions up to 1.33 do not compile with 1.34 and later, where
// structured-merge-diff has a new major version. 1.36 does not compile with 1.37.
func compatible(apimachinery, other int) bool {
	switch {
	case other == apimachinery || apimachinery > 37: // later releases are untested
		return true
	case other > apimachinery:
		return false
	case apimachinery <= 33:
		return other >= 30
	}
	return other == 34 || other == 35
}

// at returns the argument of go get for a module's version for Kubernetes 1.N.
func at(module string, n int) string {
	if module == controllerRuntime {
		n -= 12
	}
	return fmt.Sprintf("%s@v0.%d", module, n)
}

// raise returns the go get command that raises all modules to the newest of their releases,
// and at least to the oldest that emitted code supports. more lists further modules to get.
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
		get = append(get, at(m.path, target))
	}
	command := "go get " + strings.Join(get, " ") + " ./..." // so that go.sum covers their imports
	if drop.Len() > 0 {
		command = "go mod edit" + drop.String() + " && " + command
	}
	return command
}
