// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package runtime

// GenVersion4 is the current generation of emitted code. Every emitted file refers to
// the constant of its generation, so that a file newer than the runtime does not compile.
//
// The generation rises when emitted code, or a module runtime/wire, of the last one no longer
// compiles or no longer means the same. The old constant then becomes a [RunIndexerGen].
const GenVersion4 = 4

// RunIndexerGen is the type of generations that this runtime no longer supports. An
// emitted file uses its generation as a constant, so the compiler reports this type:
// run indexer-gen again.
type RunIndexerGen struct{}

// GenVersion1 is a generation that the runtime no longer supports: run indexer-gen again.
var GenVersion1 RunIndexerGen

// GenVersion2 is a generation that the runtime no longer supports: run indexer-gen again.
var GenVersion2 RunIndexerGen

// GenVersion3 is a generation that the runtime no longer supports: run indexer-gen again.
var GenVersion3 RunIndexerGen
