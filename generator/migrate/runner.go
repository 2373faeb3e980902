// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"cmp"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/migrate/internal/learn"
)

//go:embed internal/learn/*.go
var learner embed.FS

// scratch begins the names of what an overlay adds to a module.
const scratch = "zz_indexer_gen"

// A run is the test binary of a package, with our functions in place of its tests.
type run struct {
	in        *source
	record    *recorder // or nil
	functions []*function
	dir       string
}

// learned runs functions, and sets what is learned of them and of those that are recorded.
func (p *program) learned(all []*function, record *recorder, progress io.Writer) (err error) {
	for _, pkg := range slices.Sorted(maps.Keys(p.sources)) {
		r := &run{in: p.sources[pkg]}
		for _, f := range all {
			if f.in == r.in && !f.Needless && f.learned.Reason == "" {
				r.functions = append(r.functions, f)
			}
		}
		if record.in != nil && record.in == r.in {
			r.record = record
		} else if len(r.functions) == 0 {
			continue
		}
		fmt.Fprintf(progress, "indexer-gen: compiling and running the index functions of %s\n", pkg)
		if r.dir, err = os.MkdirTemp("", "indexer-gen"); err == nil {
			err = errors.Join(r.answer(), os.RemoveAll(r.dir))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

var refused = regexp.MustCompile(`(?m)^.*\bfunction(\d+)_test\.go:[\d:]+ (.*)$`)

// answer builds the program, and runs it once for each function.
func (r *run) answer() error {
	if err := r.write(); err != nil {
		return err
	}
	out, err := r.command("go", "test", "-c", "-vet=off",
		"-overlay", filepath.Join(r.dir, "overlay"), "-o", filepath.Join(r.dir, "learn"), r.in.PkgPath)
	if err != nil {
		refusals := refused.FindAllStringSubmatch(out, -1)
		if len(refusals) == 0 && r.record != nil {
			return fmt.Errorf("the index functions of %s do not compile: %w\n%s", r.in.PkgPath, err, out)
		} else if len(refusals) == 0 {
			for _, f := range r.functions {
				f.learned.Reason = cmp.Or(f.learned.Reason,
					fmt.Sprintf("not run, since its package does not compile: %.2000s", strings.TrimSpace(out)))
			}
			return nil
		}
		for _, m := range refusals {
			i := slices.IndexFunc(r.functions, func(f *function) bool { return f.ID == m[1] })
			r.functions[i].learned.Reason = "not run, since a copy of it does not compile: " + m[2]
		}
		return r.answer()
	}
	if r.record != nil {
		got, err := r.ask(learn.Question{Name: "record"})
		if err != nil || got.Reason != "" {
			return errors.Join(err, fmt.Errorf("%s cannot be recorded: %s", r.record.Call, got.Reason))
		}
		r.record.found = r.record.functions(got.Recorded)
		r.functions = append(r.functions, r.record.found...)
	}
	for i := 0; err == nil && i < len(r.functions); i++ {
		if f := r.functions[i]; f.learned.Reason == "" {
			m := f.Mentions
			f.learned, err = r.ask(learn.Question{Name: f.ID, Fields: m.fields, Words: m.words, Keys: m.words[keyed]})
		}
	}
	return err
}

// command runs a program in the module. It returns what that prints.
func (r *run) command(name string, args ...string) (string, error) {
	cmd := exec.CommandContext(r.in.prog.ctx, name, args...)
	cmd.Dir = r.in.Module.Dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// ask runs the program for a function, which may end it.
func (r *run) ask(q learn.Question) (a learn.Answer, err error) {
	in, to := filepath.Join(r.dir, "question"), filepath.Join(r.dir, "answer")
	text, err := json.Marshal(q)
	if err = errors.Join(err, os.WriteFile(in, text, 0o666), os.WriteFile(to, nil, 0o666)); err != nil {
		return a, err
	}
	printed, failed := r.command(filepath.Join(r.dir, "learn"), in, to)
	if text, err = os.ReadFile(to); json.Unmarshal(text, &a) != nil {
		lines := strings.Split(strings.TrimSpace(fmt.Sprintf("%v\n%s", failed, printed)), "\n")
		a.Reason = "it ends the program: " + lines[len(lines)-1]
	}
	return a, cmp.Or(r.in.prog.ctx.Err(), err)
}

// write writes the files of the program and its overlay.
func (r *run) write() error {
	overlay := map[string]string{}
	at := filepath.Dir(r.in.GoFiles[0])
	tests, err := filepath.Glob(filepath.Join(at, "*_test.go"))
	for _, name := range tests {
		overlay[name] = "" // the package's tests are not compiled
	}
	add := func(to, name string, text []byte, failed error) {
		overlay[filepath.Join(to, name)] = filepath.Join(r.dir, name)
		err = errors.Join(err, failed, os.WriteFile(filepath.Join(r.dir, name), text, 0o666))
	}
	files, _ := learner.ReadDir("internal/learn")
	for _, f := range files {
		if text, failed := learner.ReadFile("internal/learn/" + f.Name()); !strings.HasSuffix(f.Name(), "_test.go") {
			text = append([]byte("//go:build go1.23\n\n"), text...)
			add(filepath.Join(r.in.Module.Dir, scratch, "learn"), f.Name(), text, failed)
		}
	}
	data := map[string]any{"In": r.in, "Learn": path.Join(r.in.Module.Path, scratch, "learn"), "Recorder": r.record}
	text, failed := formatted("main", data)
	add(at, scratch+"_test.go", text, failed)
	for _, f := range r.functions {
		if data["Function"] = f; f.learned.Reason == "" {
			text, failed = formatted("function", data)
			add(at, "function"+f.ID+"_test.go", text, failed)
		}
	}
	text, failed = json.Marshal(map[string]any{"Replace": overlay})
	add("", "overlay", text, failed)
	return err
}
