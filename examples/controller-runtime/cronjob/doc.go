// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package cronjob has the controller of docs/from-controller-runtime.md twice: before it used indexer-gen, and
// after. Both count the active Jobs of each CronJob, and note the version of its Secret. The test runs both.
package cronjob
