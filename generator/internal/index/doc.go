// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package index resolves markers to the indexes of the model.
//
// The input is a root type and its markers: on the type, on fields below it and on
// functions. [Builder.Build] resolves their paths against Go types, decides which types can
// be keys, and returns the indexes of the root. Errors go to the program's reporter, with a
// suggestion that resolves. [ReportUnused] reports the markers that made no index.
package index
