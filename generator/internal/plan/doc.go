// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package plan plans the emitted files.
//
// The input is a program, its markers and the options of each package. The output is one
// [File] for each package with types to emit: its destination, its build constraint and its
// model for the templates. [File.Name] then chooses the identifiers and reports those that
// clash. Errors go to the program's reporter.
package plan
