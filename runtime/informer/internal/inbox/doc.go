// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package inbox holds the changes that wait for one handler of an informer: in order and complete
// ([Lossless]), or merged by object ([Coalescing]).
package inbox
