// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package target

import (
	"fmt"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// Destination is the directory and package of an emitted file.
type Destination struct {
	Dir  string // absolute
	Name string // package name
	Path string // import path; that of the types if the file goes beside them
	// Target chooses the name of the file.
	Target model.Target
}

func (d Destination) File() string { return filepath.Join(d.Dir, d.Target.FileName()) }

// pathPlaceholder in Config.Output is replaced by the package's path in its module.
const pathPlaceholder = "{path}"

// DestinationOf returns the destination of a package's file: beside the types, or as
// Config.Output says.
func DestinationOf(cfg Options, pkg *loader.Package) (Destination, error) {
	home := Beside(pkg)
	if cfg.Output == "" {
		if !load.Own(pkg) && !cfg.AnyModule {
			return Destination{}, fmt.Errorf(
				"%s is not in a module of yours; name a directory for the emitted file with -o", pkg.PkgPath)
		}
		return home, nil
	}
	dir := outputOptionDir(cfg, pkg)
	if load.SameDir(dir, home.Dir) {
		if cfg.Package != "" && cfg.Package != pkg.Name {
			return Destination{}, fmt.Errorf(
				"-package %s: %s is the directory of package %s", cfg.Package, dir, pkg.Name)
		}
		return home, nil
	}
	name, there := cfg.Package, packageNameIn(dir)
	switch {
	case name != "" && there != "" && name != there:
		return Destination{}, fmt.Errorf("-package %s: %s has package %s already", name, dir, there)
	case there != "":
		name = there
	case name == "":
		name = sanitizedPackageName(filepath.Base(dir))
	}
	if !token.IsIdentifier(name) || name == "_" {
		return Destination{}, fmt.Errorf("%q is not a package name; choose one with -package", name)
	}
	if why := NotImportable(pkg, dir); why != "" {
		return Destination{}, fmt.Errorf("%s cannot be imported from %s: %s", pkg.PkgPath, dir, why)
	}
	// Nothing imports the emitted package during generation. Its path only has to be unique.
	return Destination{Dir: dir, Name: name, Path: "output:" + filepath.ToSlash(dir)}, nil
}

// outputOptionDir returns the output directory of a package.
func outputOptionDir(cfg Options, pkg *loader.Package) string {
	dir := strings.ReplaceAll(cfg.Output, pathPlaceholder, pathWithinModuleOrBase(pkg))
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(cfg.Dir, dir)
	}
	return filepath.Clean(dir)
}

// Beside returns the destination beside the types.
func Beside(pkg *loader.Package) Destination {
	return Destination{Dir: filepath.Dir(pkg.GoFiles[0]), Name: pkg.Name, Path: pkg.PkgPath}
}

var placeholderPattern = regexp.MustCompile(`\{[^{}]*\}`)

// CheckPaths returns an error for control characters or unknown placeholders in paths.
func CheckPaths(cfg Options) error {
	for _, given := range [][2]string{{"-o", cfg.Output}, {"-header", cfg.Header.String()}} {
		if strings.ContainsFunc(given[1], unicode.IsControl) {
			return fmt.Errorf("%s %q has a control character; remove it", given[0], given[1])
		}
	}
	for _, found := range placeholderPattern.FindAllString(cfg.Output, -1) {
		if found != pathPlaceholder {
			return fmt.Errorf(
				"-o %s: unknown placeholder %s; the only one is %s, the path of a package in its module",
				cfg.Output, found, pathPlaceholder)
		}
	}
	if found := placeholderPattern.FindString(cfg.Header.File); found != "" {
		return fmt.Errorf("-header %s: unknown placeholder %s; -header has no placeholders", cfg.Header.File,
			found)
	}
	return nil
}

// pathWithinModuleOrBase returns the path of a package within its module.
func pathWithinModuleOrBase(pkg *loader.Package) string {
	if pkg.Module == nil {
		return pkg.PkgPath
	}
	if pkg.PkgPath == pkg.Module.Path {
		return path.Base(pkg.PkgPath)
	}
	return strings.TrimPrefix(pkg.PkgPath, pkg.Module.Path+"/")
}

var nonPackageNamePattern = regexp.MustCompile("[^a-z0-9_]")

func sanitizedPackageName(dir string) string {
	return nonPackageNamePattern.ReplaceAllString(strings.ToLower(dir), "")
}
