// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package controller runs a process function of one's own on what a source says:
// reflector → queue → function, without the store and the handlers of an informer. It
// is for those who keep what they need in a form of their own.
//
// The queue's mode decides what the function gets: batches in order of arrival, or
// one object at a time with what happened to it. It is the caller's, who gives it a
// Known if deletions that nobody saw should be found (see package queue), and may
// write to it as well, for example to resync. Deletions that the source tells need none, in
// either mode.
package controller
