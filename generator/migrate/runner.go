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
var learnSources embed.FS

// scratchPrefix begins the names of what an overlay adds to a module.
const scratchPrefix = "zz_indexer_gen"

// A testBinary is that of a package, with our functions in place of its tests.
type testBinary struct {
	pkg               *sourcePackage
	indexFunctions    []*indexFunction
	tempDir           string
	watchedConditions *testBinaryConditions
}

// learnFunctions runs functions, and sets their answers.
func (p *program) learnFunctions(functions []*indexFunction, progressOut io.Writer) (err error) {
	for _, pkg := range slices.Sorted(maps.Keys(p.packageOrNilByID)) {
		r := &testBinary{pkg: p.packageOrNilByID[pkg]}
		for _, f := range functions {
			if f.pkg == r.pkg && !f.Needless && f.learnedAnswer.Reason == "" {
				r.indexFunctions = append(r.indexFunctions, f)
			}
		}
		if len(r.indexFunctions) == 0 {
			continue
		}
		done := progress.Start(progressOut, "compiling and running the index functions of "+pkg+", and the init functions of what it links")
		if r.tempDir, err = os.MkdirTemp("", "indexer-gen"); err == nil {
			err = errors.Join(r.setAnswersOrReasons(), os.RemoveAll(r.tempDir))
		}
		done()
		if err != nil {
			return err
		}
	}
	return nil
}

var firstError = regexp.MustCompile(`(?m)^\S+\.go:\d+:.*$`)

var copyCompileError = regexp.MustCompile(`(?m)^.*\bfunction(\d+)_test\.go:[\d:]+ (.*)$`)

// setAnswersOrReasons builds the program, and runs it once for each function.
func (r *testBinary) setAnswersOrReasons() error {
	printed, err := r.buildWithFallbacks()
	if ended := r.pkg.program.ctx.Err(); ended != nil {
		return ended
	} else if err != nil {
		r.pkg.program.addPackageErrorOnce("package "+r.pkg.PkgPath+" does not compile, so its index functions do not run",
			fmt.Sprintf("%.2000s", bytes.TrimSpace(printed)))
		r.setReasonWhereEmpty("not run, since its package does not compile")
		return nil
	}
	if why, err := r.startError(); err != nil || why != "" {
		r.setReasonWhereEmpty("not run, since the init functions of what its package links " + why)
		return err
	}
	return r.askEachFunction()
}

// buildWithFallbacks builds the program: with conditions that note how they were, or as it is if that does not
// compile, and without functions whose copy does not compile.
func (r *testBinary) buildWithFallbacks() (printed []byte, err error) {
	r.watchedConditions = newTestBinaryConditions()
	printed, err = r.writeAndCompileTest()
	if err != nil {
		r.watchedConditions = newTestBinaryConditions()
		r.watchedConditions.disabledReason = cmp.Or(firstError.FindString(string(printed)), lastLine(string(printed)))
		printed, err = r.writeAndCompileTest()
	}
	copies := copyCompileError.FindAllSubmatch(printed, -1)
	for _, m := range copies {
		i := slices.IndexFunc(r.indexFunctions, func(f *indexFunction) bool { return f.ID == string(m[1]) })
		r.indexFunctions[i].learnedAnswer.Reason = "not run, since a copy of it does not compile: " + string(m[2])
	}
	if len(copies) > 0 {
		return r.buildWithFallbacks()
	}
	return printed, err
}

func (r *testBinary) writeAndCompileTest() (printed []byte, err error) {
	if err := r.writeSourcesAndOverlay(); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(r.pkg.program.ctx, "go", "test", "-c", "-vet=off", "-ldflags=-w",
		"-overlay", filepath.Join(r.tempDir, "overlay"), "-o", filepath.Join(r.tempDir, "learn"), r.pkg.PkgPath)
	cmd.Dir = r.pkg.Module.Dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // which ends what the go command started
	cmd.WaitDelay = 10 * time.Second
	return cmd.CombinedOutput()
}

// setReasonWhereEmpty sets the reason of functions that have none.
func (r *testBinary) setReasonWhereEmpty(reason string) {
	for _, f := range r.indexFunctions {
		f.learnedAnswer.Reason = cmp.Or(f.learnedAnswer.Reason, reason)
	}
}

// startLimit is enough for init functions that read files and build tables.
const startLimit = 30 * time.Second

// startError runs the program for no function, and says why that fails.
func (r *testBinary) startError() (reason string, err error) {
	ctx, cancel := context.WithTimeout(r.pkg.program.ctx, startLimit)
	defer cancel()
	got, err := r.askInNewProcess(ctx, "start", nil)
	if ctx.Err() != nil {
		return fmt.Sprintf("do not return in %s", startLimit), err
	}
	return strings.Replace(got.Reason, "it ends", "end", 1), err
}

// askEachFunction runs the program for each function, on all cores.
func (r *testBinary) askEachFunction() error {
	var asking sync.WaitGroup
	cores, failures := make(chan struct{}, runtime.GOMAXPROCS(0)), make([]error, len(r.indexFunctions))
	for i, f := range r.indexFunctions {
		if f.learnedAnswer.Reason != "" {
			continue
		}
		cores <- struct{}{}
		asking.Go(func() {
			words, constants := f.Mentions.constantsByLowerField, map[int][]string{}
			for i, c := range r.watchedConditions.conditions {
				constants[i] = c.comparedConstants
			}
			f.learnedAnswer, failures[i] = r.askInNewProcess(r.pkg.program.ctx, f.ID, map[string]any{
				"Fields": f.Mentions.fieldNames, "Words": words, "Keys": words[mapKeysField], "Constants": constants,
			})
			<-cores
		})
	}
	asking.Wait()
	return errors.Join(failures...)
}

// secretVariable matches variables of the environment that give access to clusters and clouds.
var secretVariable = regexp.MustCompile(`(?i)^(KUBE|HOME=|XDG_|AWS_|AZURE_|ARM_|GOOGLE_|GCLOUD_|CLOUDSDK_|[^=]*(TOKEN|SECRET|PASSWORD|CREDENTIAL))`)

var fatalErrorLine = regexp.MustCompile(`(?m)^(panic|fatal error): .*`)

// askInNewProcess runs the program for a function, which may end it.
func (r *testBinary) askInNewProcess(ctx context.Context, functionID string, mentions any) (a learn.Answer, err error) {
	text, err := json.Marshal(mentions)
	if err != nil {
		return a, err
	}
	var stderr strings.Builder
	cmd := exec.CommandContext(ctx, filepath.Join(r.tempDir, "learn"), functionID, string(text))
	cmd.Dir, cmd.Stderr = r.tempDir, &stderr // init functions may write files
	cmd.Env = append(slices.DeleteFunc(os.Environ(), secretVariable.MatchString), "HOME="+r.tempDir)
	cmd.WaitDelay = time.Second // a process that it started may hold its output
	out, _ := cmd.Output()
	if json.Unmarshal([]byte(lastLine(string(out))), &a) != nil {
		why := cmp.Or(fatalErrorLine.FindString(stderr.String()), lastLine(stderr.String()))
		a.Reason = fmt.Sprintf("it ends the program: %v: %s", cmd.ProcessState, why)
	}
	return a, r.pkg.program.ctx.Err()
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndex(s, "\n")+1:]
}

// writeSourcesAndOverlay writes the files of the program and its overlay.
func (r *testBinary) writeSourcesAndOverlay() error {
	at, overlay := filepath.Dir(r.pkg.GoFiles[0]), map[string]string{}
	tests, err := filepath.Glob(filepath.Join(at, "*_test.go"))
	for _, name := range tests {
		overlay[name] = "" // the package's tests are not compiled
	}
	files, _ := learnSources.ReadDir("internal/learn")
	for _, f := range files {
		text, failed := learnSources.ReadFile("internal/learn/" + f.Name())
		to := filepath.Join(r.tempDir, f.Name())
		overlay[filepath.Join(r.pkg.Module.Dir, scratchPrefix, "learn", f.Name())] = to
		err = errors.Join(err, failed, os.WriteFile(to, append([]byte("//go:build go1.23\n\n"), text...), 0o666))
	}
	data := map[string]any{"In": r.pkg, "Learn": path.Join(r.pkg.Module.Path, scratchPrefix, "learn")}
	add := func(name, of string) {
		to := filepath.Join(r.tempDir, name)
		text, failed := goSource(of, data)
		overlay[filepath.Join(at, name)], err = to, errors.Join(err, failed, os.WriteFile(to, text, 0o666))
	}
	add(scratchPrefix+"_test.go", "main")
	for _, f := range r.indexFunctions {
		if f.learnedAnswer.Reason != "" {
			continue
		}
		f.watchedConditions = r.watchedConditions
		r.watchedConditions.watchCalledFunctions(f)
		data["Function"], data["Copy"] = f, f.pkg.copyExpr(f.funcExpr, r.watchedConditions)
		add("function"+f.ID+"_test.go", "function")
	}
	for i, name := range slices.Sorted(maps.Keys(r.watchedConditions.files)) {
		text, failed := r.watchedConditions.files[name].textWithLearnImport(data["Learn"].(string))
		to := filepath.Join(r.tempDir, fmt.Sprintf("watched%d.go", i))
		overlay[name], err = to, errors.Join(err, failed, os.WriteFile(to, []byte(text), 0o666))
	}
	return errors.Join(err, writeOverlay(filepath.Join(r.tempDir, "overlay"), overlay))
}
