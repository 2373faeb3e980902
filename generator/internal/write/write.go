// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package write

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/indexer-gen/indexer-gen/templates"
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

// stage writes the content to a temporary file beside its destination. commit renames it,
// discard removes it. A symbolic link is kept and its target replaced. An existing file
// keeps its mode; a new one gets the default mode of the umask.
func (f *File) stage() (commit func() error, discard func(), err error) {
	place, err := followed(f.Path)
	if err != nil {
		return nil, nil, err
	}
	dir := filepath.Dir(place)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, nil, err
	}
	tmp, err := createBeside(dir)
	if err != nil {
		return nil, nil, err
	}
	discard = func() { _ = os.Remove(tmp.Name()) }
	_, err = tmp.Write(f.Content)
	if info, statErr := os.Stat(place); err == nil && statErr == nil {
		err = tmp.Chmod(info.Mode().Perm())
	}
	if err = errors.Join(err, tmp.Close()); err != nil {
		discard()
		return nil, nil, err
	}
	return func() error { return os.Rename(tmp.Name(), place) }, discard, nil
}

// createBeside creates a file whose leading dot hides it from the go command. os.CreateTemp
// would ignore the umask and make it private.
func createBeside(dir string) (*os.File, error) {
	for {
		name := filepath.Join(dir, fmt.Sprintf(".%s.%08x", templates.FileName, rand.Uint32()))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

var temporary = regexp.MustCompile(`^` + regexp.QuoteMeta("."+templates.FileName) + `\.[0-9a-f]{8}$`)

// sweep removes temporary files of killed runs. It spares recent files, since a live run
// renames its files within seconds.
func sweep(dir string) {
	const most = time.Minute
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if !temporary.MatchString(entry.Name()) {
			continue
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() &&
			time.Since(info.ModTime()) > most {
			_ = os.Remove(filepath.Join(dir, entry.Name()))
		}
	}
}

// followed resolves symbolic links in a path. The target need not exist.
func followed(path string) (string, error) {
	const most = 40 // the limit of Linux
	start := path
	for range most {
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil // not a link; writing reports other errors
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return "", fmt.Errorf("%s: too many symbolic links", start)
}

// Files replaces the changed files. It writes all temporary files before it renames the
// first, so that a full disk or a read-only directory changes nothing.
func Files(files []*File) (err error) {
	var commits []func() error
	var discards []func()
	defer func() {
		if err != nil {
			for _, discard := range discards {
				discard()
			}
		}
	}()
	for _, f := range files {
		if place, err := followed(f.Path); err == nil {
			sweep(filepath.Dir(place))
		}
		switch {
		case f.Removed:
			commits = append(commits, func() error { return os.Remove(f.Path) })
			continue
		case !f.Changed:
			continue
		}
		commit, discard, err := f.stage()
		if err != nil {
			return err
		}
		commits, discards = append(commits, commit), append(discards, discard)
	}
	for _, commit := range commits {
		if err := commit(); err != nil {
			return err
		}
	}
	return nil
}
