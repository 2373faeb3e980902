// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package corpus holds tests only: that package wire decodes every type of
// k8s.io/api as client-go does, object for object, over a corpus of random ones,
// in whole lists as API servers write them, typed and unstructured, and when a cache holds
// them already.
//
// BenchmarkForms says what Pods cost a client from JSON, protobuf and gzip.
package corpus
