// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"bytes"
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
	main    *source   // or nil
	record  *recorder // or nil
	asked   []*asked
	overlay map[string]string // texts by file
	copies  map[string]string // where these are
}

// asked is a function that is run.
type asked struct {
	*Answer
	ID      string
	Copy    *copied           // without text if the function was recorded
	Types   []string          // of objects that it may take
	imports map[string]string // of these
	about   *mentions
	answer  learn.Answer
}

// learned runs functions, and sets their answers. It returns those that were recorded.
func (p *program) learned(all []*asked, record *recorder, progress io.Writer) (recorded []*asked, err error) {
	var runs []*run
	packages := map[string]bool{}
	of := func(in *source) *run {
		packages[in.PkgPath] = true
		for _, r := range runs {
			if r.module == in.Module.Path && (in.Name != "main" && r.main == nil || r.main == in) {
				return r
			}
		}
		r := &run{prog: p, module: in.Module.Path, dir: in.Module.Dir}
		if in.Name == "main" {
			r.main = in
		}
		runs = append(runs, r)
		return r
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
	if len(runs) > 0 {
		fmt.Fprintf(progress, "indexer-gen: compiling and running the index functions of %s\n", strings.Join(sorted(packages), ", "))
	}
	for _, r := range runs {
		dir, err := os.MkdirTemp("", "indexer-gen")
		if err != nil {
			return nil, err
		}
		found, err := r.answer(dir)
		if err = errors.Join(err, os.RemoveAll(dir)); err != nil {
			return nil, err
		}
		recorded = append(recorded, found...)
	}
	return recorded, nil
}

// answer builds the program in a directory, and runs it until all functions have an answer.
func (r *run) answer(dir string) (recorded []*asked, err error) {
	for {
		target, err := r.write(dir)
		if err != nil || target == "" {
			return nil, err
		}
		overlay, binary := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "learn")
		cmd := exec.CommandContext(r.prog.ctx, "go", "build", "-overlay", overlay, "-o", binary, target)
		cmd.Dir = r.dir
		out, err := cmd.CombinedOutput()
		if err == nil {
			break
		}
		if !r.refused(string(out)) {
			return nil, fmt.Errorf("the index functions of %s do not compile: %w\n%s", r.module, err, out)
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
			of := a.about
			questions = append(questions, learn.Question{
				Name: a.ID, Fields: sorted(of.fields), Words: of.words, Keys: sorted(of.keys),
			})
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
	cmd := exec.CommandContext(r.prog.ctx, filepath.Join(dir, "learn"), in, to)
	cmd.Dir = r.dir
	printed, failed := cmd.CombinedOutput()
	if r.prog.ctx.Err() != nil {
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
	if r.record != nil {
		byPackage[r.record.in] = slices.Clip(byPackage[r.record.in])
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
		data := map[string]any{"Package": in.Name, "Imports": imports, "All": all, "Main": r.main != nil}
		if r.record != nil && r.record.in == in {
			data["Recorder"] = r.record
			maps.Copy(imports, r.record.Imports)
		}
		var text bytes.Buffer
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
	i := strings.LastIndex("/"+pkg+"/", "/internal/")
	above := pkg[:max(0, i-1)]
	if i < 0 || above == r.module {
		return pkg
	}
	to := path.Join(above, scratch, "to", path.Base(pkg)+strconv.Itoa(len(r.overlay)))
	name := filepath.Join(r.dir, filepath.FromSlash(strings.TrimPrefix(to, r.module)), "to.go")
	r.overlay[name] = "package to\n\nimport _ " + strconv.Quote(pkg) + "\n"
	return r.forwarded(to)
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
