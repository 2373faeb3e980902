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
	in     *source
	record *recorder // or nil
	asked  []*asked
}

// asked is a function that is run.
type asked struct {
	*Answer
	ID      string
	Copy    *copied           // without text if the function was recorded
	Types   []string          // of objects that it may take
	Imports map[string]string // of these and the copy
	about   *mentions
	answer  learn.Answer
}

// learned runs functions, and sets their answers. It returns those that were recorded.
func (p *program) learned(all []*asked, record *recorder, progress io.Writer) (recorded []*asked, err error) {
	runs := map[string]*run{}
	of := func(in *source) *run {
		if runs[in.PkgPath] == nil {
			runs[in.PkgPath] = &run{in: in}
		}
		return runs[in.PkgPath]
	}
	for _, a := range all {
		if a.reg.in.Module == nil {
			a.answer.Reason = "not run, since its package is in no module"
			continue
		}
		r := of(a.reg.in)
		r.asked = append(r.asked, a)
	}
	if record != nil {
		of(record.in).record = record
	}
	for _, pkg := range slices.Sorted(maps.Keys(runs)) {
		fmt.Fprintf(progress, "indexer-gen: compiling and running the index functions of %s\n", pkg)
		dir, err := os.MkdirTemp("", "indexer-gen")
		if err != nil {
			return nil, err
		}
		found, err := runs[pkg].answer(dir)
		if err = errors.Join(err, os.RemoveAll(dir)); err != nil {
			return nil, err
		}
		recorded = append(recorded, found...)
	}
	return recorded, nil
}

var refused = regexp.MustCompile(`(?m)^.*\bfunction(\d+)_test\.go:[\d:]+ (.*)$`)

// answer builds the program in a directory, and runs it until all functions have an answer.
func (r *run) answer(dir string) (recorded []*asked, err error) {
	for {
		if err := r.write(dir); err != nil {
			return nil, err
		}
		cmd := exec.CommandContext(r.in.prog.ctx, "go", "test", "-c", "-vet=off",
			"-overlay", filepath.Join(dir, "overlay"), "-o", filepath.Join(dir, "learn"), r.in.PkgPath)
		cmd.Dir = r.in.Module.Dir
		out, err := cmd.CombinedOutput()
		if err == nil {
			break
		}
		errs := refused.FindAllStringSubmatch(string(out), -1)
		if len(errs) == 0 {
			return nil, fmt.Errorf("the index functions of %s do not compile: %w\n%s", r.in.PkgPath, err, out)
		}
		for _, m := range errs {
			for _, a := range r.runnable() {
				if a.ID == m[1] {
					a.answer.Reason = "not run, since a copy of it does not compile: " + m[2]
				}
			}
		}
	}
	if r.record != nil {
		got, _, err := r.ask(dir, []learn.Question{{Name: "record"}})
		if err != nil || len(got) == 0 || got[0].Reason != "" {
			return nil, fmt.Errorf("%s cannot be recorded: %s %w", r.record.Call, append(got, learn.Answer{})[0].Reason, err)
		}
		recorded = r.record.asked(got[0].Recorded)
		r.asked = append(r.asked, recorded...)
	}
	for rest := r.runnable(); len(rest) > 0; { // a function may end the program
		var questions []learn.Question
		for _, a := range rest {
			questions = append(questions, learn.Question{Name: a.ID, Fields: a.about.fields, Words: a.about.words, Keys: a.about.words[keyed]})
		}
		got, said, err := r.ask(dir, questions)
		if err != nil {
			return nil, err
		}
		for i, a := range got {
			rest[i].answer = a
		}
		if rest = rest[len(got):]; len(got) == 0 {
			rest[0].answer.Reason = "it ends the program: " + said
			rest = rest[1:]
		}
	}
	return recorded, nil
}

// ask runs the program. It returns fewer answers than questions if a function ends the program, with its last line.
func (r *run) ask(dir string, questions []learn.Question) (out []learn.Answer, said string, err error) {
	var text bytes.Buffer
	for _, q := range questions {
		err = errors.Join(err, json.NewEncoder(&text).Encode(q))
	}
	in, to := filepath.Join(dir, "questions"), filepath.Join(dir, "answers")
	if err = errors.Join(err, os.WriteFile(in, text.Bytes(), 0o666), os.WriteFile(to, nil, 0o666)); err != nil {
		return nil, "", err
	}
	cmd := exec.CommandContext(r.in.prog.ctx, filepath.Join(dir, "learn"), in, to)
	cmd.Dir = r.in.Module.Dir
	printed, failed := cmd.CombinedOutput()
	if r.in.prog.ctx.Err() != nil {
		return nil, "", failed
	}
	answers, err := os.ReadFile(to)
	for from := json.NewDecoder(bytes.NewReader(answers)); err == nil; {
		var a learn.Answer
		if from.Decode(&a) != nil {
			break
		}
		out = append(out, a)
	}
	lines := strings.Split(strings.TrimSpace(fmt.Sprintf("%v\n%s", failed, printed)), "\n")
	return out, lines[len(lines)-1], err
}

// runnable returns the functions that have no answer yet.
func (r *run) runnable() []*asked {
	return slices.DeleteFunc(slices.Clone(r.asked), func(a *asked) bool { return a.answer.Reason != "" })
}

// write writes the files of the program and its overlay.
func (r *run) write(dir string) error {
	overlay := map[string]string{}
	at := filepath.Dir(r.in.GoFiles[0])
	tests, err := filepath.Glob(filepath.Join(at, "*_test.go"))
	for _, name := range tests {
		overlay[name] = "" // the package's tests are not compiled
	}
	add := func(to, name string, text []byte) {
		overlay[filepath.Join(to, name)] = filepath.Join(dir, name)
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), text, 0o666))
	}
	files, failed := learner.ReadDir("internal/learn")
	err = errors.Join(err, failed)
	for _, f := range files {
		text, failed := learner.ReadFile("internal/learn/" + f.Name())
		if err = errors.Join(err, failed); !strings.HasSuffix(f.Name(), "_test.go") {
			add(filepath.Join(r.in.Module.Dir, scratch, "learn"), f.Name(), append([]byte("//go:build go1.23\n\n"), text...))
		}
	}
	for _, a := range append(r.runnable(), nil) {
		data := map[string]any{"Package": r.in.Name, "Learn": path.Join(r.in.Module.Path, scratch, "learn"), "Function": a, "Recorder": r.record}
		name, of := scratch+"_test.go", "main"
		if a != nil {
			name, of = "function"+a.ID+"_test.go", "function"
		}
		text, failed := formatted(of, data)
		err = errors.Join(err, failed)
		add(at, name, text)
	}
	text, failed := json.Marshal(map[string]any{"Replace": overlay})
	return errors.Join(err, failed, os.WriteFile(filepath.Join(dir, "overlay"), text, 0o666))
}
