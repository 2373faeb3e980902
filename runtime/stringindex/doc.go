// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package stringindex serves typed indexes from caches whose indexes map strings to objects, such as
// the caches of client-go and controller-runtime. Code that is emitted for these targets calls it.
//
// [Encode] is the only function that makes an index value a string. Index functions and queries both
// use it. Its results are stable: another process, or another version of this module, encodes a
// value to the same string.
//
// The package does not import client-go or controller-runtime. It fits their types by shape.
package stringindex
