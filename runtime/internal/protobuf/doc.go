// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package protobuf decodes protobuf messages into the Go types of Kubernetes APIs, by the field numbers
// in their protobuf tags.
//
// # Results
//
// Without an error, an object is what the generated Unmarshal of its type makes of the same data, and
// there is an error exactly where Unmarshal returns one, but for messages that nest deeper than 10,000
// levels. Unknown fields are skipped. Fields of one number that come twice are merged. So are damaged
// messages that generated code accepts, such as map entries that reach beyond their end. Module hack
// compares the two for all types of k8s.io/api, with random objects and damaged bytes.
//
// A type that has an Unmarshal but no tags, such as Quantity, decodes its message itself. Time and
// fieldsV1, which are frequent, are decoded here (known.go).
//
// # Parts
//
// [MessageOf] also accepts a type that has some fields of a tagged type, under the same JSON names. It
// takes their numbers from that type, so a slim type needs no tags (part.go).
//
// # How it works
//
// Each pair of types has a [Message], made once per process by reflection: for each field number a
// function that decodes the field (plan.go, scalars.go, repeated.go). Consecutive fields of one number
// are counted first, so slices and maps are allocated at their final size. Fields to skip cost their
// length.
//
// Strings that repeat are shared (package intern). If the caller allows it, so are slices, maps and
// messages behind pointers that were decoded from equal bytes (share.go). Replicas have most of their
// objects in common, and so have two versions of one object: for Pods this halves the time and the
// memory of decoding. Nobody may modify the objects then.
//
// [Decoder.Match] compares a message with an object that was decoded before and allocates nothing, so a
// relist of unchanged objects is cheap (match.go).
//
// The package does not use unsafe.
package protobuf
