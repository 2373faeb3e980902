// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command codegenbench generates listers, informers and indexers for the packages
// of k8s.io/api that have clients, with indexer-gen and with client-go's pair of
// generators, and prints the cost of each.
//
//	go run ./hack/codegenbench            five rounds
//	go run ./hack/codegenbench -rounds 1
//
// # Measurements
//
// Three programs, compiled beforehand, run in one scratch module on the same
// packages of k8s.io/api v0.37.2, one after the other in each round: indexer-gen
// -all once; lister-gen and informer-gen of k8s.io/code-generator v0.37.2, one
// after the other. In each round every output directory is removed first, and then
// indexer-gen runs once more over its own, unchanged, output, and no file may
// be written.
//
// Wall is the time of day, CPU the user and system time of the process and of the
// go commands that it starts, memory the greatest resident set of any of them. The
// ratio is ours to theirs; of each figure the median of the rounds counts. On a
// machine that others use too, CPU is the one to look at.
//
// # Promises
//
// At most a quarter of their time, less than 1 GiB, and no write to a tree that has
// not changed. The command fails if a promise is broken; of the two times it goes by
// CPU.
//
// # Figures
//
// Of 56 packages with clients, median of 3 rounds, Go 1.26.8, 2 cores (AMD EPYC) of
// a machine that was busy with other work, so that wall says little:
//
//	                                      wall   ratio       CPU   ratio    memory   ratio
//	lister-gen and informer-gen        29.81 s    1.00   13.45 s    1.00   612 MiB    1.00
//	indexer-gen                         2.04 s    0.07    1.22 s    0.09   165 MiB    0.27
//	indexer-gen, nothing to change      1.95 s    0.07    1.31 s    0.10   160 MiB    0.26
//
// It needs a Unix and, the first time, the module proxy.
package main
