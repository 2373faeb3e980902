// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package protobuf decodes protobuf messages into the Go types of Kubernetes APIs, by the field numbers
// in their protobuf tags.
//
// # Results
//
// Without an error, an object is what the generated Unmarshal of its type makes of the same data. Decode fails
// exactly where Unmarshal fails. It also rejects messages nested deeper than 10,000 levels. Unknown fields are
// skipped. A field that comes twice is merged. Damaged messages that generated
// code accepts are accepted too, such as map entries that are longer than their length. Module hack
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
// function that decodes the field, and its offset in the struct (plan.go, scalars.go, repeated.go, maps.go,
// known.go). Consecutive fields of one number are counted first, so slices and maps are allocated at
// their final size. Fields to skip cost their length.
//
// Objects have most of their values in common with earlier versions of themselves, and with their
// replicas:
//
//   - Strings that repeat are shared (package intern).
//   - If the caller allows it, so are slices, maps and messages behind pointers that were decoded from
//     equal bytes (share.go). This halves the memory of Pods.
//   - Given an earlier version of the object, [Decoder.Decode] takes from it all that is equal. An
//     unchanged object is recognized without an allocation. hack/corpus has figures.
//
// The functions that decode a value get a pointer to the value at the same place in the earlier version,
// held. They take from it strings, whole lists, maps, and messages behind pointers. So a message equals the
// held one if its memory does, which takes one comparison. In rare cases, such as an empty string that is
// not zero, equal messages differ in memory. Then they are not shared.
//
// Such objects must not be modified.
package protobuf
