// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package realworld runs indexer-gen -all over API modules that nobody here
// wrote. Its test takes each module from the module proxy, as it is, generates
// into a scratch module outside of this repository, compiles and vets the result,
// and compares group, version, resource and scope of every type with a reference
// that is not of our making: the CRD manifests that the module, or one beside it,
// ships; for k8s.io/api, the URLs that client-go's clientset asks for.
//
// Whatever is served must be emitted, and as the reference has it. What is
// emitted and not in the reference is printed by go test -v; it is old versions,
// for the most part, and types that are no resources of their own.
//
// Another module is one more line in the table of modules_test.go.
package realworld
