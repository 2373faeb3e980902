// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package target

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// ReadEmitted reads the file at the path of an emitted one. It rejects anything but a regular
// file, since opening a named pipe, for example, would block.
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

// EmittedFiles returns the emitted files of the module in directory root. It skips the
// directories that ./... skips. An entry of that name that is no regular file is an error,
// because the go command would wait forever for a named pipe.
func EmittedFiles(root string) (found []string, err error) {
	root += string(filepath.Separator) // WalkDir does not follow a symbolic link as root
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return nil // the go command reports unreadable directories
		}
		if path != root && (skipped(entry.Name()) || isModule(path)) {
			return fs.SkipDir
		}
		for _, t := range model.Targets {
			file := filepath.Join(path, t.FileName())
			if info, err := os.Stat(file); err == nil {
				if err := regular(file, info.Mode()); err != nil {
					return err
				}
				found = append(found, file)
			}
		}
		return nil
	})
	return found, err
}

// skipped reports whether ./... skips a directory of that name.
func skipped(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" ||
		name == "vendor"
}

func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}
