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

	"github.com/rogpeppe/go-internal/diff"

	"github.com/indexer-gen/indexer-gen/generator/internal/target"
	"github.com/indexer-gen/indexer-gen/templates"
)

// File is an emitted file and how it compares with what was there.
type File struct {
	Path    string // absolute
	Name    string // for messages: relative to Config.Dir if it is below it
	Types   int
	Indexes int
	Changed bool   // what was there differed, or nothing was there
	Removed bool   // left over from an earlier run: no type of the package is emitted
	Diff    string // unified, from what was there; only when checking

	Content []byte
}

// Compare reads what is there and notes whether it differs.
func (f *File) Compare(withDiff bool) error {
	old, err := target.ReadEmitted(f.Path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f.Changed = err != nil || !bytes.Equal(old, f.Content)
	if f.Changed && withDiff {
		f.Diff = string(diff.Diff(f.Name, old, f.Name+" (generated)", f.Content))
	}
	return nil
}

// stage writes the content to a temporary file beside its place. commit moves it
// there; discard removes it. A symbolic link stays, and what it leads to is
// replaced. A file that was there keeps its mode; a new one gets what the umask
// leaves.
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

// createBeside makes a new file of a name that the go command ignores, for the
// leading dot. os.CreateTemp would make it private whatever the umask is.
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

// sweep removes the temporary files in dir that killed runs left behind. A run that is
// still under way renames its files within seconds, so that only older ones are removed.
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
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > most {
			_ = os.Remove(filepath.Join(dir, entry.Name()))
		}
	}
}

// followed returns where a path leads to, past symbolic links, whether or not
// there is anything.
func followed(path string) (string, error) {
	const most = 40 // as many as Linux follows
	start := path
	for range most {
		target, err := os.Readlink(path)
		if err != nil {
			return path, nil // no link; what else is wrong with it, writing will tell
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return "", fmt.Errorf("%s: too many symbolic links", start)
}

// Files puts the changed files in place. All are written beside their places
// before the first is moved, so that a full disk or a directory that cannot be
// written leaves everything as it was.
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
