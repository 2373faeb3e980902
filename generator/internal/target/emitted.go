// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package target

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates"
)

// ReadEmitted reads the file in the place of an emitted one. It refuses anything but a
// regular file: opening a named pipe, for example, would block.
func ReadEmitted(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := regular(path, info.Mode()); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

func regular(path string, mode fs.FileMode) error {
	if mode.IsRegular() {
		return nil
	}
	is := "a device"
	switch mode.Type() {
	case fs.ModeDir:
		is = "a directory"
	case fs.ModeNamedPipe:
		is = "a named pipe"
	case fs.ModeSocket:
		is = "a socket"
	}
	return fmt.Errorf("%s is %s, not a regular file; remove it, or emit elsewhere with -o", path, is)
}

// EmittedFiles lists the emitted files of a module by its directory. It skips the
// directories that the pattern ./... skips. An entry of that name that is no regular file
// is an error: the go command reads all files of a package, and would wait for ever for
// a named pipe.
func EmittedFiles(root string) (found []string, err error) {
	root += string(filepath.Separator) // it may be a symbolic link, which WalkDir would not follow
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return nil // the go command reports what it cannot read
		}
		if path != root && (skipped(entry.Name()) || isModule(path)) {
			return fs.SkipDir
		}
		file := filepath.Join(path, templates.FileName)
		if info, err := os.Stat(file); err == nil {
			if err := regular(file, info.Mode()); err != nil {
				return err
			}
			found = append(found, file)
		}
		return nil
	})
	return found, err
}

// skipped reports whether ./... skips directories of a name.
func skipped(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor"
}

func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}
