// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package e2e has no code: its tests run generated informers against a real API
// server, over each kind of source, and make that server go away and come back.
package e2e
