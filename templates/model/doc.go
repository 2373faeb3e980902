// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package model describes, as plain data, the files that indexer-gen emits.
//
// A [Package] is one file. It lists the root types ([Type]) of one API group version, and
// each type lists its indexes ([Index]). An index has one [Part] for each of its paths. A
// part lists the steps ([Step]) from the object to the value.
//
// The generator knows go/types and markers, and fills the model in. The templates know Go
// syntax, and print it. The model imports neither, so a test can build one by hand. It
// makes two decisions, because both sides depend on them:
//
//   - [AssignNames] chooses every identifier in an emitted file, including those of
//     imports, parameters and loop variables.
//   - [Package.Declared] lists the identifiers that a file declares. The generator compares
//     them with those of the user's package.
//
// [Kind] says where the values of an index come from. Unique and Ordered are independent
// of it.
package model
