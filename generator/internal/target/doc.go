// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package target decides where emitted files go.
//
// The input is the options of a run. [Complete] adds the options that existing emitted files
// record, and returns the options of each package. [DestinationOf] returns the output
// directory, package name and import path. [CheckModules] reports modules whose go.mod lacks
// the Go version or the requirements of emitted code.
package target
