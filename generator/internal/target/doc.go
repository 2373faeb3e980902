// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package target decides where emitted files go. It completes the options of a package by
// those that its emitted file records, and checks what the module of the directory needs.
package target
