// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package runtime

// GenVersion1 is the first generation of emitted code. Every emitted file
// refers to the constant of its own generation, so that a file which is newer
// than the runtime beside it fails to compile, at a line that says why.
//
// A generation is dropped from this file when its emitted code no longer
// compiles or no longer means the same; a new one is added beside it first.
const GenVersion1 = 1
