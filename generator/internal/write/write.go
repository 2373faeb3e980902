// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package write

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rogpeppe/go-internal/diff"
)

// File is an emitted file and its difference from the existing file.
type File struct {
	Path    string // absolute
	Name    string // shown in messages: relative to Config.Dir if below it
	API     string // import path of the types' package, which several targets may share
	Types   int
	Indexes int
	Changed bool   // the existing file differed or was missing
	Removed bool   // the file is left over: no type of its package is emitted
	Diff    string // unified diff from the existing file; only with Config.Check

	Content []byte
}

// Compare reads the existing file and sets Changed. If withDiff is true, it also sets Diff.
func (f *File) Compare(withDiff bool) error {
	old, err := os.ReadFile(f.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f.Changed = err != nil || !bytes.Equal(old, f.Content)
	if f.Changed && withDiff {
		f.Diff = string(diff.Diff(f.Name, old, f.Name+" (generated)", f.Content))
	}
	return nil
}

// writeTemporary writes the content to a temporary file beside its destination, whose leading dot hides it from the
// go command.
func (f *File) writeTemporary() (temporary string, err error) {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o777); err != nil {
		return "", err
	}
	temporary = filepath.Join(filepath.Dir(f.Path), fmt.Sprintf(".%s.%d", filepath.Base(f.Path), os.Getpid()))
	return temporary, os.WriteFile(temporary, f.Content, 0o666)
}

// Files replaces the changed files. It writes all temporary files before it renames the
// first, so that a full disk or a read-only directory changes nothing.
func Files(files []*File) (err error) {
	staged := map[string]string{} // temporary files by path
	defer func() {
		for _, temporary := range staged {
			_ = os.Remove(temporary) // those that were renamed are gone
		}
	}()
	for _, f := range files {
		if f.Changed && !f.Removed {
			if staged[f.Path], err = f.writeTemporary(); err != nil {
				return err
			}
		}
	}
	for _, f := range files {
		switch {
		case f.Removed:
			err = os.Remove(f.Path)
		case f.Changed:
			err = os.Rename(staged[f.Path], f.Path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
