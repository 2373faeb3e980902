// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"io"

	"github.com/indexer-gen/indexer-gen/generator"
)

// jsonError is one error as -json prints it. Members may be added; none changes its name or
// meaning.
type jsonError struct {
	// relative to the working directory if below it; absent if the error is in no file
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"` // from 1; absent if the error is on no line
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// jsonFile is one file as -json prints it.
type jsonFile struct {
	File string `json:"file"`
	// unchanged, written or removed; with -check: unchanged, stale or left-over
	Status  string `json:"status"`
	Types   int    `json:"types"`
	Indexes int    `json:"indexes"`
	Diff    string `json:"diff,omitempty"` // unified; only with -check
}

// printErrorsJSON prints one line for each diagnostic.
func printErrorsJSON(w io.Writer, err error) {
	for _, d := range errorAsDiagnostics(err) {
		printJSONLine(w, jsonError{d.Pos.Filename, d.Pos.Line, d.Pos.Column, d.Message})
	}
}

// printFilesJSON prints one line for each file.
func printFilesJSON(w io.Writer, result *generator.Result, cfg generator.Config) {
	for _, f := range result.Files {
		status := "unchanged"
		switch {
		case f.Removed && cfg.Check:
			status = "left-over"
		case f.Removed:
			status = "removed"
		case f.Changed && cfg.Check:
			status = "stale"
		case f.Changed:
			status = "written"
		}
		printJSONLine(w, jsonFile{f.Name, status, f.Types, f.Indexes, f.Diff})
	}
}

func printJSONLine(w io.Writer, v any) {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	_ = out.Encode(v)
}
