// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package target decides where emitted files go.
//
// The input is the options of a run. [DestinationOf] returns the output directory of a package,
// and the name and import path of the emitted one. [CheckModules] reports modules whose go.mod lacks
// the Go version or the requirements of emitted code.
package target
