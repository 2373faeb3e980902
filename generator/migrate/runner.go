// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"bytes"
	"cmp"
	"context"
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
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/indexer-gen/indexer-gen/generator/migrate/internal/learn"
	"github.com/indexer-gen/indexer-gen/generator/progress"
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
	watched   *conditions
}

// learned runs functions, and sets what is learned of them and of those that are recorded.
func (p *program) learned(all []*function, record *recorder, out io.Writer) (err error) {
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
		done := progress.Start(out, "compiling and running the index functions of "+pkg+", and the init functions of what it links")
		if r.dir, err = os.MkdirTemp("", "indexer-gen"); err == nil {
			err = errors.Join(r.answer(), os.RemoveAll(r.dir))
		}
		done()
		if err != nil {
			return err
		}
	}
	return nil
}

var firstError = regexp.MustCompile(`(?m)^\S+\.go:\d+:.*$`)

var refused = regexp.MustCompile(`(?m)^.*\bfunction(\d+)_test\.go:[\d:]+ (.*)$`)

// answer builds the program, and runs it once for each function.
func (r *run) answer() error {
	printed, err := r.build()
	if ended := r.in.prog.ctx.Err(); ended != nil {
		return ended
	} else if err != nil && r.record != nil {
		return fmt.Errorf("the index functions of %s do not compile: %w\n%s", r.in.PkgPath, err, printed)
	} else if err != nil {
		r.in.prog.breaks("package "+r.in.PkgPath+" does not compile, so its index functions do not run",
			fmt.Sprintf("%.2000s", bytes.TrimSpace(printed)))
		r.refuse("not run, since its package does not compile")
		return nil
	}
	if why, err := r.start(); err != nil || why != "" {
		r.refuse("not run, since the init functions of what its package links " + why)
		return err
	}
	if r.record != nil {
		got, err := r.ask(r.in.prog.ctx, "record", nil)
		if err != nil || got.Reason != "" {
			return errors.Join(err, fmt.Errorf("%s cannot be recorded: %s", r.record.Call, got.Reason))
		}
		r.record.found = r.record.functions(got.Recorded)
		r.functions = append(r.functions, r.record.found...)
		if printed, err := r.build(); err != nil { // with their conditions
			return fmt.Errorf("%s does not compile: %w\n%s", r.in.PkgPath, err, printed)
		}
	}
	return r.askAll()
}

// build builds the program: with conditions that note how they were, or as it is if that does not compile, and without
// functions whose copy does not compile.
func (r *run) build() (printed []byte, err error) {
	r.watched = newConditions()
	printed, err = r.compile()
	if err != nil {
		r.watched = newConditions()
		r.watched.off = cmp.Or(firstError.FindString(string(printed)), lastLine(string(printed)))
		printed, err = r.compile()
	}
	copies := refused.FindAllSubmatch(printed, -1)
	for _, m := range copies {
		i := slices.IndexFunc(r.functions, func(f *function) bool { return f.ID == string(m[1]) })
		r.functions[i].learned.Reason = "not run, since a copy of it does not compile: " + string(m[2])
	}
	if len(copies) > 0 {
		return r.build()
	}
	return printed, err
}

func (r *run) compile() (printed []byte, err error) {
	if err := r.write(); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(r.in.prog.ctx, "go", "test", "-c", "-vet=off", "-ldflags=-w",
		"-overlay", filepath.Join(r.dir, "overlay"), "-o", filepath.Join(r.dir, "learn"), r.in.PkgPath)
	cmd.Dir = r.in.Module.Dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // which ends what the go command started
	cmd.WaitDelay = 10 * time.Second
	return cmd.CombinedOutput()
}

// refuse sets the reason of functions that have none.
func (r *run) refuse(reason string) {
	for _, f := range r.functions {
		f.learned.Reason = cmp.Or(f.learned.Reason, reason)
	}
}

// startLimit is enough for init functions that read files and build tables.
const startLimit = 30 * time.Second

// start runs the program for no function, and says why that fails.
func (r *run) start() (why string, err error) {
	ctx, cancel := context.WithTimeout(r.in.prog.ctx, startLimit)
	defer cancel()
	got, err := r.ask(ctx, "start", nil)
	if ctx.Err() != nil {
		return fmt.Sprintf("do not return in %s", startLimit), err
	}
	return strings.Replace(got.Reason, "it ends", "end", 1), err
}

// askAll runs the program for each function, on all cores.
func (r *run) askAll() error {
	var asking sync.WaitGroup
	cores, failures := make(chan struct{}, runtime.GOMAXPROCS(0)), make([]error, len(r.functions))
	for i, f := range r.functions {
		if f.learned.Reason != "" {
			continue
		}
		cores <- struct{}{}
		asking.Go(func() {
			words, constants := f.Mentions.words, map[int][]string{}
			for i, c := range r.watched.all {
				constants[i] = c.constants
			}
			f.learned, failures[i] = r.ask(r.in.prog.ctx, f.ID, map[string]any{
				"Fields": f.Mentions.fields, "Words": words, "Keys": words[mapKeys], "Constants": constants,
			})
			<-cores
		})
	}
	asking.Wait()
	return errors.Join(failures...)
}

// secret matches variables of the environment that give access to clusters and clouds.
var secret = regexp.MustCompile(`(?i)^(KUBE|HOME=|XDG_|AWS_|AZURE_|ARM_|GOOGLE_|GCLOUD_|CLOUDSDK_|[^=]*(TOKEN|SECRET|PASSWORD|CREDENTIAL))`)

var fatal = regexp.MustCompile(`(?m)^(panic|fatal error): .*`)

// ask runs the program for a function, which may end it.
func (r *run) ask(ctx context.Context, id string, mentions any) (a learn.Answer, err error) {
	text, err := json.Marshal(mentions)
	if err != nil {
		return a, err
	}
	var stderr strings.Builder
	cmd := exec.CommandContext(ctx, filepath.Join(r.dir, "learn"), id, string(text))
	cmd.Dir, cmd.Stderr = r.dir, &stderr // init functions may write files
	cmd.Env = append(slices.DeleteFunc(os.Environ(), secret.MatchString), "HOME="+r.dir)
	cmd.WaitDelay = time.Second // a process that it started may hold its output
	out, _ := cmd.Output()
	if json.Unmarshal([]byte(lastLine(string(out))), &a) != nil {
		why := cmp.Or(fatal.FindString(stderr.String()), lastLine(stderr.String()))
		a.Reason = fmt.Sprintf("it ends the program: %v: %s", cmd.ProcessState, why)
	}
	return a, r.in.prog.ctx.Err()
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndex(s, "\n")+1:]
}

// write writes the files of the program and its overlay.
func (r *run) write() error {
	at, overlay := filepath.Dir(r.in.GoFiles[0]), map[string]string{}
	tests, err := filepath.Glob(filepath.Join(at, "*_test.go"))
	for _, name := range tests {
		overlay[name] = "" // the package's tests are not compiled
	}
	files, _ := learner.ReadDir("internal/learn")
	for _, f := range files {
		text, failed := learner.ReadFile("internal/learn/" + f.Name())
		to := filepath.Join(r.dir, f.Name())
		overlay[filepath.Join(r.in.Module.Dir, scratch, "learn", f.Name())] = to
		err = errors.Join(err, failed, os.WriteFile(to, append([]byte("//go:build go1.23\n\n"), text...), 0o666))
	}
	data := map[string]any{"In": r.in, "Learn": path.Join(r.in.Module.Path, scratch, "learn"), "Recorder": r.record}
	add := func(name, of string) {
		to := filepath.Join(r.dir, name)
		_, failed := write(to, of, data)
		overlay[filepath.Join(at, name)], err = to, errors.Join(err, failed)
	}
	add(scratch+"_test.go", "main")
	for _, f := range r.functions {
		if f.learned.Reason != "" {
			continue
		}
		f.watched = r.watched
		r.watched.watch(f)
		if data["Function"] = f; f.fn != nil {
			data["Copy"] = f.in.copied(f.fn, r.watched)
			add("function"+f.ID+"_test.go", "function")
		}
	}
	for i, name := range slices.Sorted(maps.Keys(r.watched.files)) {
		text, failed := r.watched.files[name].text(data["Learn"].(string))
		to := filepath.Join(r.dir, fmt.Sprintf("watched%d.go", i))
		overlay[name], err = to, errors.Join(err, failed, os.WriteFile(to, []byte(text), 0o666))
	}
	text, failed := json.Marshal(map[string]any{"Replace": overlay})
	return errors.Join(err, failed, os.WriteFile(filepath.Join(r.dir, "overlay"), text, 0o666))
}
