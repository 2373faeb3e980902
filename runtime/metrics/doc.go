// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package metrics measures durations: a [Timing] counts them in buckets, and a [Distribution] is
// what it has counted. The statistics of informers contain distributions; module
// runtime/prometheus exports them.
package metrics
