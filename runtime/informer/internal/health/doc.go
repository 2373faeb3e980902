// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package health puts the state of an informer into words, for errors, waits and logs. Its functions
// depend on nothing but their arguments, which are plain values: names, durations, errors, and the
// progress of reflectors. It knows neither informers nor handlers.
package health
