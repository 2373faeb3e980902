// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package decode decodes the objects of an API server from JSON, faster and
// into less memory than a general decoder.
//
// # Why one of our own
//
// Custom resources of 2.5 KB, two cores, decoded into their Go type:
//
//	sigs.k8s.io/json, which client-go uses       51 MB/s   98 allocations   5,535 B
//	github.com/go-json-experiment/json (v2)      97 MB/s   64 allocations   4,646 B
//	this package, equal fieldsV1 shared         155 MB/s   31 allocations   2,160 B
//	this package, skipping the object           935 MB/s
//
// A faster library would have been welcome, but what costs most is not the
// reading of text, it is memory: strings that a thousand objects repeat, slices
// that grow, garbage that the collector has to see. What saves it must be done
// while decoding: skipping fields, recognizing strings, telling that an object
// is the one that is cached already. No library lets one in there. Code
// generated for each type would be faster still, at the price of thousands of
// lines beside every API.
//
// # How it stays correct
//
// The reference is sigs.k8s.io/json, and the package does not compete with it on
// anything unusual. It decodes what is sound; about all else it says [ErrOdd],
// and the caller has the reference decode the object, and judge it. So wrong
// types, duplicate members, numbers out of range, odd tags and the wording of
// errors are the reference's business. Types that decode themselves are given
// their text; types with rules of their own (text keys, json.Number, arrays) are
// decoded by the reference inside of an object that is decoded here. Tests and
// fuzz targets compare the two, in module hack for all types of k8s.io/api.
//
// # How it works
//
// For each Go type there is a plan (plan.go), made once by reflection in all of the
// process, that takes the value at hand from the text (lex.go). What a Decoder keeps
// for the places in types (places.go) is as much as the types have places that it
// comes to, whatever is decoded into them, and how often. Nothing is allocated that
// does not stay: slices are decoded aside and copied at their final length
// (slices.go), and so are maps; what that takes is kept for the next, up to 1 MiB.
// The text is looked at eight bytes at a time, and is checked to be well-formed as
// far as it is taken, what is skipped (skip.go) included.
//
// Strings are looked up in a table (intern.go) of at most 8,192 strings and
// 1 MiB, as long as that pays: each place in a type learns whether its strings
// repeat, as labels and node names do, and gives up for a while if they do not,
// as with names and UIDs. Large values that many objects have alike, the fieldsV1 of
// managedFields and, if that is wanted, whole maps, are kept by their text and shared
// (memo.go), each within about 2 MiB, the memory of the maps included. Maps are edited
// in place by those who make objects ready for a cache, and fieldsV1 are not, but
// replaced or left out: so the one is shared only if it is wanted.
//
// There is no unsafe code here.
package decode
