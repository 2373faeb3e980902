// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package realworld runs indexer-gen -all over API modules of other projects. Its test
// downloads each module, generates into a scratch module, and compiles and vets the
// result. It compares group, version, resource and scope of every type with an independent
// reference: the CRD manifests that the project ships or, for k8s.io/api, the URLs that
// client-go's clientset requests.
//
// Every served type must be emitted as the reference has it. go test -v prints the emitted
// types that the reference lacks: mostly old versions, and types that are no resources.
//
// To add a module, add a line to the table in modules_test.go.
package realworld
