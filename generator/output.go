// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"fmt"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"github.com/indexer-gen/indexer-gen/templates"
	"sigs.k8s.io/controller-tools/pkg/loader"
)

// destination is where the file of a package goes.
type destination struct {
	dir  string // absolute
	name string // of the package there
	path string // its import path; the API's own if the file goes beside the types
}

func (d destination) file() string { return filepath.Join(d.dir, templates.FileName) }

// pathHolder is replaced in Config.Output by the path of a package in its module.
const pathHolder = "{path}"

// destinationOf returns where the file of a package goes: beside the types, or
// where Config.Output says.
func destinationOf(cfg options, pkg *loader.Package) (destination, error) {
	home := beside(pkg)
	if cfg.Output == "" {
		if !own(pkg) && !cfg.AnyModule {
			return destination{}, fmt.Errorf("%s is not in a module of yours; name a directory for the emitted file with -o", pkg.PkgPath)
		}
		return home, nil
	}
	dir := directoryOf(cfg, pkg)
	if sameDir(dir, home.dir) {
		if cfg.Package != "" && cfg.Package != pkg.Name {
			return destination{}, fmt.Errorf("-package %s: %s is the directory of package %s", cfg.Package, dir, pkg.Name)
		}
		return home, nil
	}
	name, there := cfg.Package, packageIn(dir)
	switch {
	case name != "" && there != "" && name != there:
		return destination{}, fmt.Errorf("-package %s: %s has package %s already", name, dir, there)
	case there != "":
		name = there
	case name == "":
		name = packageName(filepath.Base(dir))
	}
	if !token.IsIdentifier(name) || name == "_" {
		return destination{}, fmt.Errorf("%q is not a package name; choose one with -package", name)
	}
	if why := notImportable(pkg, dir); why != "" {
		return destination{}, fmt.Errorf("%s cannot be imported from %s: %s", pkg.PkgPath, dir, why)
	}
	// Nothing imports the emitted package here, so that all that matters of its
	// path is that it differs from the others.
	return destination{dir: dir, name: name, path: "output:" + filepath.ToSlash(dir)}, nil
}

// directoryOf returns the directory that the file of a package goes to.
func directoryOf(cfg options, pkg *loader.Package) string {
	if cfg.Output == "" {
		return beside(pkg).dir
	}
	dir := strings.ReplaceAll(cfg.Output, pathHolder, withinModule(pkg))
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(cfg.Dir, dir)
	}
	return filepath.Clean(dir)
}

// beside is the destination beside the types.
func beside(pkg *loader.Package) destination {
	return destination{dir: filepath.Dir(pkg.GoFiles[0]), name: pkg.Name, path: pkg.PkgPath}
}

var placeholder = regexp.MustCompile(`\{[^{}]*\}`)

// checkPaths refuses control characters in paths, and unknown placeholders.
func checkPaths(cfg options) error {
	for _, given := range [][2]string{{"-o", cfg.Output}, {"-header", cfg.Header.String()}} {
		if strings.ContainsFunc(given[1], unicode.IsControl) {
			return fmt.Errorf("%s %q has a control character; remove it", given[0], given[1])
		}
	}
	for _, found := range placeholder.FindAllString(cfg.Output, -1) {
		if found != pathHolder {
			return fmt.Errorf("-o %s: unknown placeholder %s; there is %s, the path of a package in its module", cfg.Output, found, pathHolder)
		}
	}
	if found := placeholder.FindString(cfg.Header.File); found != "" {
		return fmt.Errorf("-header %s: unknown placeholder %s; there is none here", cfg.Header.File, found)
	}
	return nil
}

// withinModule returns the path of a package below its module.
func withinModule(pkg *loader.Package) string {
	if pkg.Module == nil {
		return pkg.PkgPath
	}
	if pkg.PkgPath == pkg.Module.Path {
		return path.Base(pkg.PkgPath)
	}
	return strings.TrimPrefix(pkg.PkgPath, pkg.Module.Path+"/")
}

var notInPackageName = regexp.MustCompile("[^a-z0-9_]")

func packageName(dir string) string {
	return notInPackageName.ReplaceAllString(strings.ToLower(dir), "")
}
