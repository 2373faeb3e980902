// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command codegenbench generates listers, informers and indexers for the packages
// of k8s.io/api that have clients, with indexer-gen and with client-go's pair of
// generators, and prints what each took.
//
//	go run ./hack/codegenbench            five rounds
//	go run ./hack/codegenbench -rounds 1
//
// # What is measured
//
// Three programs, compiled beforehand, run in one scratch module on the same
// packages of k8s.io/api v0.37.2, one after the other in each round: indexer-gen
// -all once; lister-gen and informer-gen of k8s.io/code-generator v0.37.2, one
// after the other. In each round every output directory is removed first, and then
// indexer-gen runs once more over its own, unchanged, output, of which no file may
// be written.
//
// Wall is the time of day, CPU the user and system time of the process and of the
// go commands that it starts, memory the greatest resident set of any of them. The
// ratio is ours to theirs; of each figure the median of the rounds counts. On a
// machine that others use too, CPU is the one to look at.
//
// It needs a Unix and, the first time, the module proxy.
package main
