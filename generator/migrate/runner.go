// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"bytes"
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

// learned runs functions, and sets what is learned of them. It returns those that were recorded.
func (p *program) learned(all []*function, record *recorder, progress io.Writer) (recorded []*function, err error) {
	runs := map[string]*run{}
	if record != nil {
		runs[record.in.PkgPath] = &run{in: record.in, record: record}
	}
	for _, f := range all {
		if f.in.Module == nil {
			f.learned.Reason = "not run, since its package is in no module"
		}
		if f.Needless || f.learned.Reason != "" {
			continue
		}
		if runs[f.in.PkgPath] == nil {
			runs[f.in.PkgPath] = &run{in: f.in}
		}
		r := runs[f.in.PkgPath]
		r.functions = append(r.functions, f)
	}
	for _, pkg := range slices.Sorted(maps.Keys(runs)) {
		fmt.Fprintf(progress, "indexer-gen: compiling and running the index functions of %s\n", pkg)
		r := runs[pkg]
		if r.dir, err = os.MkdirTemp("", "indexer-gen"); err == nil {
			err = errors.Join(r.answer(), os.RemoveAll(r.dir))
		}
		if err != nil {
			return nil, err
		}
	}
	if record != nil {
		recorded = record.found
	}
	return recorded, nil
}

var refused = regexp.MustCompile(`(?m)^.*\bfunction(\d+)_test\.go:[\d:]+ (.*)$`)

// answer builds the program, and runs it until all functions have an answer.
func (r *run) answer() error {
	for {
		if err := r.write(); err != nil {
			return err
		}
		out, err := r.command("go", "test", "-c", "-vet=off",
			"-overlay", filepath.Join(r.dir, "overlay"), "-o", filepath.Join(r.dir, "learn"), r.in.PkgPath)
		if err == nil {
			break
		}
		errs := refused.FindAllStringSubmatch(out, -1)
		if len(errs) == 0 {
			return fmt.Errorf("the index functions of %s do not compile: %w\n%s", r.in.PkgPath, err, out)
		}
		for _, m := range errs {
			for _, f := range r.functions {
				if f.ID == m[1] {
					f.learned.Reason = "not run, since a copy of it does not compile: " + m[2]
				}
			}
		}
	}
	if r.record != nil {
		got, said, err := r.ask(learn.Question{Name: "record"})
		if err != nil {
			return err
		} else if got = append(got, learn.Answer{Reason: said}); got[0].Reason != "" {
			return fmt.Errorf("%s cannot be recorded: %s", r.record.Call, got[0].Reason)
		}
		r.record.found = r.record.functions(got[0].Recorded)
		r.functions = append(r.functions, r.record.found...)
	}
	for rest := r.runnable(); len(rest) > 0; { // a function may end the program
		var questions []learn.Question
		for _, f := range rest {
			m := f.Mentions
			questions = append(questions, learn.Question{Name: f.ID, Fields: m.fields, Words: m.words, Keys: m.words[keyed]})
		}
		got, said, err := r.ask(questions...)
		if err != nil {
			return err
		}
		for i, a := range got {
			rest[i].learned = a
		}
		if rest = rest[len(got):]; len(got) == 0 {
			rest[0].learned.Reason = "it ends the program: " + said
			rest = rest[1:]
		}
	}
	return nil
}

// command runs a program in the module. It returns what that prints.
func (r *run) command(name string, args ...string) (string, error) {
	cmd := exec.CommandContext(r.in.prog.ctx, name, args...)
	cmd.Dir = r.in.Module.Dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// ask runs the program. It returns fewer answers than questions if a function ends the program, with its last line.
func (r *run) ask(questions ...learn.Question) (out []learn.Answer, said string, err error) {
	var text bytes.Buffer
	for _, q := range questions {
		err = errors.Join(err, json.NewEncoder(&text).Encode(q))
	}
	in, to := filepath.Join(r.dir, "questions"), filepath.Join(r.dir, "answers")
	if err = errors.Join(err, os.WriteFile(in, text.Bytes(), 0o666), os.WriteFile(to, nil, 0o666)); err != nil {
		return nil, "", err
	}
	printed, failed := r.command(filepath.Join(r.dir, "learn"), in, to)
	if r.in.prog.ctx.Err() != nil {
		return nil, "", failed
	}
	answers, err := os.ReadFile(to)
	from := json.NewDecoder(bytes.NewReader(answers))
	for a := (learn.Answer{}); from.Decode(&a) == nil; a = (learn.Answer{}) {
		out = append(out, a)
	}
	lines := strings.Split(strings.TrimSpace(fmt.Sprintf("%v\n%s", failed, printed)), "\n")
	return out, lines[len(lines)-1], err
}

// runnable returns the functions that have no answer yet.
func (r *run) runnable() []*function {
	return slices.DeleteFunc(slices.Clone(r.functions), func(f *function) bool { return f.learned.Reason != "" })
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
			add(filepath.Join(r.in.Module.Dir, scratch, "learn"), f.Name(), append([]byte("//go:build go1.23\n\n"), text...), failed)
		}
	}
	data := map[string]any{"In": r.in, "Learn": path.Join(r.in.Module.Path, scratch, "learn"), "Recorder": r.record}
	text, failed := formatted("main", data)
	add(at, scratch+"_test.go", text, failed)
	for _, f := range r.runnable() {
		if data["Function"] = f; f.Text != "" {
			text, failed = formatted("function", data)
			add(at, "function"+f.ID+"_test.go", text, failed)
		}
	}
	text, failed = json.Marshal(map[string]any{"Replace": overlay})
	add("", "overlay", text, failed)
	return err
}
