// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

const wantFile = "want.txt"

// TestMistakes runs the command once over the packages of all archives in testdata/mistakes. Each archive lists
// the errors of its packages in want.txt; set UPDATE to write them. Packages without an error there are
// accepted. Nothing is written, because other packages have errors.
func TestMistakes(t *testing.T) {
	archives := map[string]*txtar.Archive{}
	names, err := filepath.Glob("testdata/mistakes/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("%d archives, %v", len(names), err)
	}
	dir := scratch(t)
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		topic := strings.TrimSuffix(filepath.Base(name), ".txtar")
		archives[topic] = archive
		for _, f := range archive.Files {
			text := strings.ReplaceAll(string(f.Data), "example.com/scratch/", "example.com/scratch/"+topic+"/")
			put(t, filepath.Join(dir, topic, f.Name), text)
		}
	}
	got := errorsByTopic(t, dir)
	for topic, archive := range archives {
		i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == wantFile })
		if i < 0 {
			t.Fatalf("%s has no %s", topic, wantFile)
		}
		if want := string(archive.Files[i].Data); got[topic] != want {
			t.Errorf("%s:\n%s\nwant:\n%s", topic, got[topic], want)
			if os.Getenv("UPDATE") != "" {
				archive.Files[i].Data = []byte(got[topic])
				put(t, "testdata/mistakes/"+topic+".txtar", string(txtar.Format(archive)))
			}
		}
		delete(got, topic)
	}
	if len(got) > 0 {
		t.Errorf("errors of no archive: %v", got)
	}
	if emitted, _ := filepath.Glob(filepath.Join(dir, "*/*/zz_generated*")); len(emitted) > 0 {
		t.Errorf("%v written despite errors", emitted)
	}
}

// errorsByTopic runs the command in dir and returns its errors by the directory below that they concern, with
// names as if that were the module.
func errorsByTopic(t *testing.T, dir string) map[string]string {
	var stdout, stderr bytes.Buffer
	back, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	if code := runCommand(t.Context(), []string{"./..."}, &stdout, &stderr); code != exitFailed || stdout.Len() > 0 {
		t.Errorf("exit code %d, stdout %q", code, stdout.String())
	}
	t.Chdir(back)
	out := map[string]string{}
	for line := range strings.Lines(stderr.String()) {
		topic, _, _ := strings.Cut(line, "/")
		out[topic] += strings.ReplaceAll(line, topic+"/", "")
	}
	return out
}
