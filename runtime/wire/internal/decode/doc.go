// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package decode decodes the objects of an API server from JSON, faster and into less memory than a
// general decoder.
//
// # Why not a library
//
// Custom resources of 2.5 KB, two cores, decoded into their Go type:
//
//	sigs.k8s.io/json, which client-go uses       51 MB/s   98 allocations   5,535 B
//	github.com/go-json-experiment/json (v2)      97 MB/s   64 allocations   4,646 B
//	this package, equal fieldsV1 shared         155 MB/s   31 allocations   2,160 B
//	this package, skipping the object           935 MB/s
//
// Most of the cost is memory, not reading text: repeated strings, growing slices, garbage. Saving it
// takes a decoder that can skip fields, recognize strings, and find that an object equals the cached
// one. No library allows that. Generated code for each type would be faster still, and thousands of
// lines for each API.
//
// # Correctness
//
// The reference is sigs.k8s.io/json. This package decodes valid, usual text only. For all other text
// it returns [ErrOdd], and the caller uses the reference decoder. So wrong types, duplicate members,
// numbers out of range, unusual tags and the texts of errors are those of the reference. Types that
// decode themselves get their text. Types with rules of their own (text keys, json.Number, arrays) and
// rare ones (floats, unsigned integers, base64) are decoded by the reference within an object decoded
// here. Tests and fuzz targets compare the two, and module hack does so for all types of k8s.io/api.
//
// # How it works
//
// Each Go type has a plan (plan.go), made once per process by reflection, which decodes a value from
// the text (lex.go). A Decoder keeps state for each place in a type that it meets (package places). It
// allocates only what the object keeps: slices are decoded into spare ones and copied at their final
// length (slices.go). Up to 1 MiB of spare slices is kept for the next object (package spare). The text
// is read eight bytes at a time. It is checked for validity, in skipped parts too (skipvalue.go).
//
// Strings that repeat are shared, and so are equal fieldsV1 of managedFields and, with Share, equal
// maps, slices and pointers (share.go and package intern). These are only shared on request, because
// transforms and callers without a cache modify them in place.
//
// The package does not use unsafe.
package decode
