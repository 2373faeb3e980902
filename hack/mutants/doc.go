// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Command mutants measures whether the tests notice defects. It runs gremlins, which
// changes one operator at a time and runs the package's own tests, over the packages
// whose tests take less than two seconds. Run it in hack:
//
//	go run ./mutants                    # all packages, about an hour on 2 cores
//	go run ./mutants runtime/queue      # one of them
//
// At least nine of ten mutants of each package must be killed. Every survivor is listed in
// survivors.txt with the reason why no test of behavior can notice it. The command fails if
// a survivor is not listed, and prints the missing line without a reason. It also prints the
// lines of survivors.txt that no longer apply.
//
// A mutant whose test runs into its time limit counts as killed, because the mutation
// made a loop endless or lost a wake-up. Mutants in the conditions of a switch and in
// constants and variables of the package do not count: gremlins skips them, because
// coverage profiles do not have them. Run the command on an idle machine: on a busy one
// slow tests look like killed mutants.
package main
