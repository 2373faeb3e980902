// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package metrics measures durations. A [Timing] counts them in buckets and returns a
// [Distribution]. The statistics of informers contain distributions; module
// runtime/prometheus exports them.
package metrics
