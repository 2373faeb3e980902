// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package objects writes custom resources to an API server, with net/http and
// nothing else, so that the examples that only want to watch some objects stay
// small. A real program would use the client that it has.
package objects
