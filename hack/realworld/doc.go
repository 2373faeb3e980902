// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package realworld runs indexer-gen -all over API modules that nobody here
// wrote. Its test takes each module from the module proxy, as it is, generates
// into a scratch module outside of this repository, compiles and vets the result,
// and compares group, version, resource and scope with the CRD manifests that the
// module, or one beside it, ships. k8s.io/api ships none; its code is compiled. Another module is one more line in the test's table.
package realworld
