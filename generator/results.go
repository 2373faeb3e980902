// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
	"github.com/indexer-gen/indexer-gen/generator/internal/write"
	"github.com/indexer-gen/indexer-gen/templates"
)

type (
	// Header is the text at the start of emitted files: a file and, optionally, the year that
	// replaces YEAR in it. It implements flag.Value.
	Header = target.Header

	// File is an emitted file, or one to remove. It holds the path, types and indexes, whether
	// the file differs from the existing one and, with Config.Check, the diff.
	File = write.File

	// Diagnostic is one error in the input: a position and a message.
	Diagnostic = diag.Diagnostic

	// Diagnostics is the error that Run returns for invalid input: all errors, sorted by
	// position.
	Diagnostics = diag.Diagnostics

	// MethodInfo is a method of a lister: its signature and its doc comment.
	MethodInfo = templates.Method

	// Marker describes a marker and its options, for manuals.
	Marker = marker.Marker
)

// Markers returns the markers that Run knows.
func Markers() []Marker { return marker.Markers() }
