// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/migrate/internal/learn"
)

//go:embed internal/learn/*.go
var learner embed.FS

// scratch is the directory in an overlay, and registers the file in each package that registers its functions.
const (
	scratch   = "zz_indexer_gen"
	registers = "zz_indexer_gen_learn.go"
)

// A run is a program that runs functions of one module. A package main makes a run of its own.
type run struct {
	prog    *program
	module  string // its path
	dir     string
	main    *source // or nil
	asked   []*asked
	overlay map[string]string // texts by file
	copies  map[string]string // where these are
}

// asked is a function that is run.
type asked struct {
	*Answer
	ID      string
	Copy    *copied
	Types   []string          // of objects that it may take
	imports map[string]string // of these
	about   *mentions
	answer  learn.Answer
}

// learned runs functions, and sets their answers.
func (p *program) learned(all []*asked, progress io.Writer) error {
	var runs []*run
	packages := map[string]bool{}
	for _, a := range all {
		in := a.reg.in
		if in.Module == nil {
			a.answer.Reason = "not run, since its package is in no module"
			continue
		}
		same := func(r *run) bool {
			return r.module == in.Module.Path && (in.Name != "main" && r.main == nil || r.main == in)
		}
		i := slices.IndexFunc(runs, same)
		if i < 0 {
			i, runs = len(runs), append(runs, &run{prog: p, module: in.Module.Path, dir: in.Module.Dir})
			if in.Name == "main" {
				runs[i].main = in
			}
		}
		packages[in.PkgPath] = true
		runs[i].asked = append(runs[i].asked, a)
	}
	if len(runs) > 0 {
		fmt.Fprintf(progress, "indexer-gen: compiling and running %d index functions of %s\n", len(all), strings.Join(sorted(packages), ", "))
	}
	for _, r := range runs {
		dir, err := os.MkdirTemp("", "indexer-gen")
		if err != nil {
			return err
		}
		err = r.answer(dir)
		if err = errors.Join(err, os.RemoveAll(dir)); err != nil {
			return err
		}
	}
	return nil
}

// answer builds the program in a directory, and runs it until all functions have an answer.
func (r *run) answer(dir string) error {
	binary := filepath.Join(dir, "learn")
	for {
		target, err := r.write(dir)
		if err != nil || target == "" {
			return err
		}
		cmd := exec.CommandContext(r.prog.ctx, "go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", binary, target)
		cmd.Dir = r.dir
		out, err := cmd.CombinedOutput()
		if err == nil {
			break
		}
		if !r.refused(string(out)) {
			return fmt.Errorf("the index functions of %s do not compile: %w\n%s", r.module, err, out)
		}
	}
	rest := r.runnable()
	for len(rest) > 0 {
		var questions bytes.Buffer
		for _, a := range rest {
			q := learn.Question{Name: a.ID, Fields: sorted(a.about.fields), Words: a.about.words, Keys: sorted(a.about.keys)}
			if err := json.NewEncoder(&questions).Encode(q); err != nil {
				return err
			}
		}
		in, out := filepath.Join(dir, "questions"), filepath.Join(dir, "answers")
		if err := os.WriteFile(in, questions.Bytes(), 0o666); err != nil {
			return err
		}
		cmd := exec.CommandContext(r.prog.ctx, binary, in, out)
		cmd.Dir = r.dir
		said, failed := cmd.CombinedOutput()
		text, err := os.ReadFile(out)
		if err != nil {
			return fmt.Errorf("the index functions of %s do not run: %w\n%s", r.module, cmp.Or(failed, err), said)
		}
		for answers := json.NewDecoder(bytes.NewReader(text)); len(rest) > 0 && answers.Decode(&rest[0].answer) == nil; rest = rest[1:] {
		}
		if failed != nil && len(rest) > 0 {
			last := strings.Split(strings.TrimSpace(string(said)), "\n")
			rest[0].answer.Reason = "the function ends the program: " + last[len(last)-1]
			rest = rest[1:]
		}
	}
	return nil
}

// runnable returns the functions that have no answer yet.
func (r *run) runnable() []*asked {
	return slices.DeleteFunc(slices.Clone(r.asked), func(a *asked) bool { return a.answer.Reason != "" })
}

// write writes the files of the program, and returns the import path of its package main.
func (r *run) write(dir string) (target string, err error) {
	r.overlay = map[string]string{}
	base := path.Join(r.module, scratch)
	files, err := learner.ReadDir("internal/learn")
	if err != nil {
		return "", err
	}
	for _, f := range files {
		text, err := learner.ReadFile("internal/learn/" + f.Name())
		if err != nil {
			return "", err
		}
		if !strings.HasSuffix(f.Name(), "_test.go") {
			r.overlay[filepath.Join(r.dir, scratch, "learn", f.Name())] = "//go:build go1.23\n\n" + string(text)
		}
	}
	byPackage := map[*source][]*asked{}
	for _, a := range r.runnable() {
		byPackage[a.reg.in] = append(byPackage[a.reg.in], a)
	}
	if len(byPackage) == 0 {
		return "", nil
	}
	var imported []string
	for in, all := range byPackage {
		imports := map[string]string{base + "/learn": "zzlearn"}
		for _, a := range all {
			maps.Copy(imports, a.imports)
			maps.Copy(imports, a.Copy.Imports)
		}
		var text bytes.Buffer
		data := map[string]any{"Package": in.Name, "Imports": imports, "All": all, "Main": r.main != nil}
		if err := templates.ExecuteTemplate(&text, "register", data); err != nil {
			return "", err
		}
		formatted, err := format.Source(text.Bytes())
		if err != nil {
			return "", fmt.Errorf("%w in\n%s", err, text.Bytes())
		}
		r.overlay[filepath.Join(filepath.Dir(in.GoFiles[0]), registers)] = string(formatted)
		imported = append(imported, r.forwarded(in.PkgPath))
	}
	if target = base; r.main != nil {
		target = r.main.PkgPath
	} else {
		slices.Sort(imported)
		text := "package main\n\nimport (\n\t\"" + base + "/learn\"\n"
		for _, p := range slices.Compact(imported) {
			text += "\t_ " + strconv.Quote(p) + "\n"
		}
		r.overlay[filepath.Join(r.dir, scratch, "main.go")] = text + ")\n\nfunc main() { learn.Main() }\n"
	}
	r.copies = map[string]string{}
	for name, text := range r.overlay {
		r.copies[name] = filepath.Join(dir, fmt.Sprintf("f%d.go", len(r.copies)))
		err = errors.Join(err, os.WriteFile(r.copies[name], []byte(text), 0o666))
	}
	text, _ := json.Marshal(map[string]any{"Replace": r.copies})
	return target, errors.Join(err, os.WriteFile(filepath.Join(dir, "overlay.json"), text, 0o666))
}

// forwarded returns a package that imports one, and that the main package may import.
func (r *run) forwarded(pkg string) string {
	above, _, isInternal := cutLast("/"+pkg+"/", "/internal/")
	if above = strings.Trim(above, "/"); !isInternal || above == r.module {
		return pkg
	}
	to := path.Join(above, scratch, "to", path.Base(pkg)+strconv.Itoa(len(r.overlay)))
	name := filepath.Join(r.dir, filepath.FromSlash(strings.TrimPrefix(to, r.module)), "to.go")
	r.overlay[name] = "package to\n\nimport _ " + strconv.Quote(pkg) + "\n"
	return r.forwarded(to)
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

var compileError = regexp.MustCompile(`(?m)^(.*\.go):(\d+):(?:\d+:)? (.*)$`)

// refused takes the functions out whose copies do not compile. It reports whether there were any.
func (r *run) refused(out string) (some bool) {
	for _, m := range compileError.FindAllStringSubmatch(out, -1) {
		for name, text := range r.overlay {
			if filepath.Base(m[1]) != filepath.Base(r.copies[name]) || filepath.Base(name) != registers {
				continue
			}
			line, _ := strconv.Atoi(m[2])
			lines := strings.Split(text, "\n")
			for i := min(line, len(lines)) - 1; i >= 0; i-- {
				if id, ok := strings.CutPrefix(lines[i], "\tzzlearn.Add(\""); ok {
					id, _, _ = strings.Cut(id, "\"")
					for _, a := range r.asked {
						if a.ID == id && a.answer.Reason == "" {
							a.answer.Reason, some = "not run, since a copy of it does not compile: "+m[3], true
						}
					}
					break
				}
			}
		}
	}
	return some
}
