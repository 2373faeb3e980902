// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package model describes, as plain data, the files that indexer-gen emits.
//
// A [Package] is one file. It lists the root types ([Type]) of one API group
// version, and each type lists the indexes ([Index]) that its markers asked for.
// An index has one part for a single path and several for a composite key; a
// part says, step by step ([Step]), how to walk from the object to the value.
//
// The model stands between the generator, which knows go/types and markers and
// fills it in, and the templates, which know Go syntax and print it. It imports
// neither, so that it can be built by hand in a test and compared with ==-like
// tools. Two decisions live here because both sides depend on them:
//
//   - every identifier that appears in an emitted file, those of imports,
//     parameters and loop variables included, is chosen by [AssignNames];
//   - the set of identifiers that a file declares is [Package.Declared], which
//     the generator compares with what the user's package already has.
//
// # Ready for more
//
// [Kind] says where the values of an index come from: paths, references, functions,
// owner references or labels. That an index is unique or ordered is said on
// [Index]; neither changes how a value is walked to.
package model
